import { createHmac, timingSafeEqual } from 'node:crypto'

/** Says when a form was opened, in words that only this site can have made: for a page that is cached can't. */
export interface FormAge {
  issue(): string
  /** Milliseconds since it was issued; `undefined` for what was not issued here, or more than a day ago. */
  of(token: string): number | undefined
}

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
