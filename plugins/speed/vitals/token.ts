import { createHmac, timingSafeEqual } from 'node:crypto'

const HOUR = 3_600_000

/** Hours for which a token is good, so that cached pages work (contract 6). */
const GOOD_FOR = 24

/** What a token says: the page that it was printed into was one of this group. */
export interface TokenContent {
  readonly group: string
}

/**
 * Tokens that show that a report comes from a page that this site has rendered lately: `<hour>.<group>.<signature>`,
 * the signature over path, group and hour. Everybody who reads a page has its token, so it limits what can be reported
 * to pages that exist, not who reports: that is what the limits of samples are for.
 */
export interface Tokens {
  /** @param path of the page, as in its address */
  issue(path: string, group: string): string
  /** What the token says, or `undefined` if it is forged, too old or another page's. */
  read(token: string, path: string): TokenContent | undefined
}

/** @param key 32 secret bytes */
export function createTokens(key: Buffer): Tokens {
  const thisHour = () => Math.floor(Date.now() / HOUR)

  function sign(hour: number, group: string, path: string): Buffer {
    return createHmac('sha256', key)
      .update(`${hour}\n${group}\n${canonical(path)}`)
      .digest()
  }

  return {
    issue(path, group) {
      const hour = thisHour()
      return `${hour.toString(36)}.${group}.${sign(hour, group, path).toString('base64url')}`
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

/** `%C3` and `%c3` are one address. */
function canonical(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (escaped) => escaped.toLowerCase())
}
