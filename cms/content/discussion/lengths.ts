import { RestError } from '../../../core/errors.ts'
import type { NewComment } from '../types.ts'

/** Lengths of WordPress's columns, in bytes, and the errors of its `wp_check_comment_data_max_lengths`. */
const LIMITS = [
  ['authorName', 245, 'comment_author_column_length', 'Your name is too long.'],
  ['authorEmail', 100, 'comment_author_email_column_length', 'Your email address is too long.'],
  ['authorUrl', 200, 'comment_author_url_column_length', 'Your URL is too long.'],
  ['content', 65_525, 'comment_content_column_length', 'Your comment is too long.'],
] as const

/** @throws RestError 400 for the first field that is longer than its column */
export function checkLengths(comment: Partial<NewComment>): void {
  for (const [field, limit, code, message] of LIMITS) {
    if (Buffer.byteLength(comment[field] ?? '') > limit) throw new RestError(code, message, { status: 400 })
  }
}
