import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signed timestamps of when a form was opened, because a cached page cannot contain one. */
export interface FormAge {
  issue(): string
  /** Age in ms; `undefined` if the timestamp is invalid or older than a day. */
  of(token: string): number | undefined
}

/** Minimum time to fill in a form, in ms. */
export const MINIMUM_TIME = 3000
const DAY = 86_400_000

export function createFormAge(key: Buffer): FormAge {
  const sign = (moment: string) => createHmac('sha256', key).update(moment).digest('base64url')

  return {
    issue() {
      const moment = Date.now().toString(36)
      return `${moment}.${sign(moment)}`
    },
    of(token) {
      const [moment = '', signature = ''] = token.split('.')
      const expected = Buffer.from(sign(moment))
      const given = Buffer.from(signature)
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
      const age = Date.now() - Number.parseInt(moment, 36)
      return age >= 0 && age < DAY ? age : undefined
    },
  }
}
