import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { RestError } from '../errors.ts'
import type { Identity } from './types.ts'

/** WordPress's action for REST nonces. */
const REST_ACTION = 'wp_rest'

/** Milliseconds of a tick. A nonce is valid for two ticks: 12 to 24 hours (WordPress's `wp_nonce_tick`). */
const TICK = 12 * 60 * 60 * 1000
/** Hex digits: 80 bits. */
const LENGTH = 20

type Holder = Pick<Identity, 'user' | 'session'>

export interface Nonces {
  create(action: string, bearer: Holder): string
  /** 1: in its first tick; 2: in its second tick; `false`: invalid. */
  verify(nonce: string, action: string, bearer: Holder): 1 | 2 | false
  /**
   * Checks the nonce of a REST request (`rest_cookie_check_errors`). Returns a fresh one.
   * @throws RestError 403 `rest_cookie_invalid_nonce`
   */
  renewRest(nonce: string, bearer: Holder): string
}

/** Nonces as in WordPress, bound to an action, a user and a session. Anonymous visitors are user 0 without a session. */
export function createNonces(key: Buffer, now: () => number): Nonces {
  const secret = createSecretKey(key)
  const tick = () => Math.ceil(now() / TICK)
  function hashFor(at: number, action: string, { user, session }: Holder): string {
    const bound = JSON.stringify([at, action, user?.id ?? 0, session?.id ?? ''])
    return createHmac('sha256', secret).update(bound).digest('hex').slice(0, LENGTH)
  }
  function isSame(given: string, wanted: string): boolean {
    const bytes = Buffer.from(given)
    return bytes.length === LENGTH && timingSafeEqual(bytes, Buffer.from(wanted))
  }
  const create: Nonces['create'] = (action, bearer) => hashFor(tick(), action, bearer)
  const verify: Nonces['verify'] = (nonce, action, bearer) => {
    const current = tick()
    if (isSame(nonce, hashFor(current, action, bearer))) return 1
    return isSame(nonce, hashFor(current - 1, action, bearer)) ? 2 : false
  }
  return {
    create,
    verify,
    renewRest(nonce, bearer) {
      if (verify(nonce, REST_ACTION, bearer)) return create(REST_ACTION, bearer)
      throw new RestError('rest_cookie_invalid_nonce', 'Cookie check failed', { status: 403 })
    },
  }
}
