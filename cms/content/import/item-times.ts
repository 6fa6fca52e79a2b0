import type { NewPost } from '../types.ts'
import type { WxrItem } from './wxr.ts'

/** Publication and modification dates of an item. */
export function times(item: WxrItem): Pick<NewPost, 'date' | 'dateGmt' | 'modified' | 'modifiedGmt'> {
  const date = readDate(item.date)
  const dateGmt = readDate(item.dateGmt)
  // WXR 1.1 and older have no modification dates.
  const modified = readDate(item.modified) ?? date
  const modifiedGmt = readDate(item.modifiedGmt) ?? dateGmt
  // A draft without a date in UTC has that of its last save, until it is published; the old site's time zone is unknown.
  const floats = dateGmt === undefined && (item.status === 'draft' || item.status === 'pending')
  if (floats && modifiedGmt !== undefined) return { date: modified, dateGmt: modifiedGmt, modified, modifiedGmt }
  return { date, dateGmt, modified, modifiedGmt }
}

/** A date in the format of posts; WordPress's zero date and invalid dates count as missing. */
export function readDate(text: string): string | undefined {
  const match = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)$/.exec(text.trim())
  const value = match ? `${match[1]}T${match[2]}` : ''
  const at = Date.parse(`${value}Z`)
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 19) !== value ? undefined : value
}
