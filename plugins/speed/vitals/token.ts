import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'

const HOUR = 3_600_000

/** Validity of a token in hours, long enough for cached pages. */
const GOOD_FOR = 24

/** Contents of a token: the group of its page. */
export interface TokenContent {
  readonly group: string
}

/**
 * Tokens that prove that a report comes from a recently rendered page: `<hour>.<group>.<signature>`, with a signature
 * over path, group and hour. Every visitor of a page has its token, so it restricts reports to existing pages; abuse is
 * limited by the sample limits.
 */
export interface Tokens {
  /** @param path of the page, as in its URL */
  issue(path: string, group: string): string
  /** The contents, or `undefined` if the token is forged, expired or for another page. */
  read(token: string, path: string): TokenContent | undefined
}

/** @param key 32 secret bytes */
export function createTokens(key: Buffer): Tokens {
  const thisHour = () => Math.floor(Date.now() / HOUR)
  // Created once: a key takes longer to import than a token to sign.
  const secret = createSecretKey(key)
  const issued = new LRUCache<string, string>({ max: 500 })

  function sign(hour: number, group: string, path: string): Buffer {
    return createHmac('sha256', secret)
      .update(`${hour}\n${group}\n${canonical(path)}`)
      .digest()
  }

  return {
    issue(path, group) {
      const hour = thisHour()
      const key = `${hour} ${group} ${path}`
      const known = issued.get(key)
      if (known !== undefined) return known
      const token = `${hour.toString(36)}.${group}.${sign(hour, group, path).toString('base64url')}`
      issued.set(key, token)
      return token
    },
    read(token, path) {
      const [hourText = '', group = '', signature = '', ...more] = token.split('.')
      const hour = Number.parseInt(hourText, 36)
      const given = Buffer.from(signature, 'base64url')
      const right = sign(hour, group, path)
      if (more.length > 0 || given.length !== right.length || !timingSafeEqual(given, right)) return undefined
      const age = thisHour() - hour
      return age >= 0 && age <= GOOD_FOR ? { group } : undefined
    },
  }
}

/** `%C3` and `%c3` are equivalent. */
function canonical(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (escaped) => escaped.toLowerCase())
}
