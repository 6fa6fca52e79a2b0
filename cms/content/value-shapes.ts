import { isReference } from '../../core/database/row-id.ts'
import { type ContentsCheck, json, recordOf } from '../../core/hooks/value-checks.ts'
import { describeValue } from '../../core/hooks/value-kind.ts'
import { readTime } from './site-time.ts'

/** The id of a row, or 0 for none. */
export const rowId: ContentsCheck = {
  contentsFault: (value) =>
    typeof value === 'number' && isReference(value) ? undefined : `${describeValue(value)} that is not an ID`,
}

/** A moment as `YYYY-MM-DDTHH:MM:SS`; empty for none. */
export const siteTime: ContentsCheck = {
  contentsFault(value) {
    if (typeof value !== 'string') return `${describeValue(value)} instead of string`
    try {
      readTime('time', value)
      return undefined
    } catch {
      return 'a string that is not a date (YYYY-MM-DDTHH:MM:SS)'
    }
  },
}

/** Values of meta keys. */
export const metaShape: ContentsCheck = recordOf(json('array'))
