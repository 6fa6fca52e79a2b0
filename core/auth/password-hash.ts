import { type BinaryLike, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { createSemaphore } from '../threads/semaphore.ts'
import { checkSignInQueue } from './sign-in-queue.ts'

/** Cost of one scrypt hash: `128 * 2 ** ln * r` bytes of memory; CPU time is proportional to that times `p`. */
export interface PasswordCost {
  /** Binary logarithm of scrypt's N. */
  readonly ln: number
  readonly r: number
  readonly p: number
}

/** OWASP's alternative to ln 17, p 1, equally strong with 32 MiB instead of 128 (Password Storage Cheat Sheet). */
const DEFAULT_COST: PasswordCost = { ln: 15, r: 8, p: 3 }
/** For tests: at the default cost, hashing takes most of the time for creating a site. */
export const CHEAPEST: PasswordCost = { ln: 1, r: 8, p: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32
/** Half of libuv's four threads, so that file access and DNS are not blocked by logins. */
const HASHES_AT_ONCE = 2

export interface PasswordHasher {
  /** A PHC string: `$scrypt$ln=15,r=8,p=3$salt$hash`. */
  hash(password: string): Promise<string>
  /**
   * Whether the password matches the hash. For `undefined` (no such user) or an unusable hash it takes as long and resolves to
   * `false`.
   */
  verify(password: string, hash: string | undefined): Promise<boolean>
  /** Whether the hash was created with a lower cost than the current one. */
  isOutdated(hash: string): boolean
}

/** Hashes passwords with scrypt (RFC 7914) off the main thread, a bounded number at a time. */
export function createPasswordHasher(cost: PasswordCost = DEFAULT_COST): PasswordHasher {
  const limitConcurrency = createSemaphore(HASHES_AT_ONCE, checkSignInQueue)
  const dummy = format(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES))

  async function verify(password: string, hash: string | undefined): Promise<boolean> {
    const stored = parse(hash ?? '')
    const { salt, key, ...parameters } = stored ?? parse(dummy) ?? unreachable()
    const given = await limitConcurrency(() => derive(password, salt, key.length, parameters))
    return timingSafeEqual(given, key) && stored !== undefined
  }

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES)
      return format(cost, salt, await limitConcurrency(() => derive(password, salt, HASH_BYTES, cost)))
    },
    verify,
    isOutdated(hash) {
      const stored = parse(hash)
      return stored !== undefined && (stored.ln < cost.ln || stored.r < cost.r || stored.p < cost.p)
    },
  }
}

function unreachable(): never {
  throw new Error('A hash of Pentad must be parseable.')
}

function derive(password: BinaryLike, salt: Buffer, length: number, { ln, r, p }: PasswordCost): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** ln, r, p, maxmem: 256 * r * (2 ** ln + p) }
  return new Promise((resolve, reject) => {
    scrypt(password, salt, length, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

function format({ ln, r, p }: PasswordCost, salt: Buffer, key: Buffer): string {
  const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$scrypt$ln=${ln},r=${r},p=${p}$${encode(salt)}$${encode(key)}`
}

function parse(hash: string): (PasswordCost & { salt: Buffer; key: Buffer }) | undefined {
  const [, ln, r, p, salt, key] =
    hash.match(/^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/) ?? []
  if (salt === undefined || key === undefined) return undefined
  return {
    ln: Number(ln),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  }
}
