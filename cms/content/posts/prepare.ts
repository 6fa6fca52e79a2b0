import { toGmt } from '../../../core/database/gmt.ts'
import { isReference } from '../../../core/database/row-id.ts'
import { RestError } from '../../../core/errors.ts'
import type { ContentParts } from '../parts.ts'
import { cleanText, type PostRow } from '../rows.ts'
import { gmtNow, gmtToSite, readTime, siteToGmt } from '../site-time.ts'
import { sanitizeTitle } from '../slug.ts'
import type { NewPost } from '../types.ts'

export type PreparedPost = Omit<PostRow, 'id' | 'path' | 'comment_count'>

/** Drafts have no fixed date: they get the time of their last save until they are published. */
const FLOATING = new Set(['draft', 'pending', 'auto-draft'])

/**
 * Builds the row of a post: given fields over existing ones over the defaults of `wp_insert_post`. The slug is not unique yet.
 * @throws RestError `rest_invalid_param` for invalid dates and numbers
 */
export function preparePost(
  { settings, registrations, hooks }: Pick<ContentParts, 'settings' | 'registrations' | 'hooks'>,
  changes: NewPost,
  before: PostRow | undefined,
): PreparedPost {
  const { timezone, language, defaultCommentStatus, defaultPingStatus } = settings()
  const type = changes.type ?? before?.type ?? 'post'
  const asked = changes.status ?? before?.status ?? 'draft'
  const dates = times(changes, before, asked, timezone)
  const status = type === 'attachment' ? asked : statusAt(asked, dates.date_gmt)
  const supports = registrations.postTypes().get(type)?.supports ?? []
  const text = (value: string | undefined, old: string | undefined) =>
    value === undefined ? (old ?? '') : cleanText(value)
  const number = (name: string, value: number | undefined, old: number | undefined) => {
    if (value === undefined) return old ?? 0
    if (isReference(Math.abs(value))) return value
    throw new RestError('rest_invalid_param', `Invalid parameter(s): ${name}`, {
      status: 400,
      params: { [name]: `${name} is not a whole number below 2147483648.` },
    })
  }
  const title = text(changes.title, before?.title)
  const commentDefault =
    type === 'post' || (supports.includes('comments') && type !== 'page') ? defaultCommentStatus : 'closed'
  const wantsSlug = changes.slug !== undefined && changes.slug !== ''
  const slugOf = (from: string) => hooks.applyFilters('sanitize_title', sanitizeTitle(from, language), from)
  const kept = changes.slug === undefined ? (before?.slug ?? '') : ''
  const slug = wantsSlug ? slugOf(changes.slug ?? '') : kept === '' && !FLOATING.has(status) ? slugOf(title) : kept
  const parent = number('parent', changes.parentId, before?.parent_id)

  return {
    type: cleanText(type),
    status: cleanText(status),
    author_id: number('author', changes.authorId, before?.author_id),
    parent_id: parent < 0 || parent === (before?.id ?? -1) ? 0 : parent,
    menu_order: number('menu_order', changes.menuOrder, before?.menu_order),
    slug: cleanText(slug),
    title,
    content: text(changes.content, before?.content),
    excerpt: text(changes.excerpt, before?.excerpt),
    password: text(changes.password, before?.password),
    comment_status: changes.commentStatus ?? before?.comment_status ?? commentDefault,
    ping_status: changes.pingStatus ?? before?.ping_status ?? (type === 'post' ? defaultPingStatus : 'closed'),
    sticky: (changes.sticky ?? before?.sticky === 1) ? 1 : 0,
    template: text(changes.template, before?.template),
    mime_type: text(changes.mimeType, before?.mime_type),
    guid: text(changes.guid, before?.guid),
    ...dates,
  }
}

/**
 * A post is scheduled if its date is in the future, as in WordPress's `wp_insert_post`. As there, a clock that is less
 * than a minute fast does not schedule a post that is published now. The time of a scheduled post applies to the second.
 */
function statusAt(asked: string, dateGmt: string): string {
  const seconds = (Date.parse(`${dateGmt.replace(' ', 'T')}Z`) - Date.now()) / 1000
  if (asked === 'publish') return seconds >= 60 ? 'future' : asked
  return asked === 'future' && seconds <= 0 ? 'publish' : asked
}

/**
 * The time of a save identifies the version (`unchangedSince`), so a second save within the same second gets the next one. A version
 * further in the future is not from this site.
 */
function timeOfSave(lastSave: string | undefined, now: string): string {
  if (lastSave === undefined || lastSave < now) return now
  const next = Date.parse(`${lastSave.replace(' ', 'T')}Z`) + 1000
  return next - Date.now() > 60_000 ? now : toGmt(next)
}

function times(changes: NewPost, before: PostRow | undefined, status: string, timezone: string) {
  const now = gmtNow()
  const given = pair(readTime('date', changes.date), readTime('date_gmt', changes.dateGmt), timezone)
  const modified = pair(readTime('modified', changes.modified), readTime('modified_gmt', changes.modifiedGmt), timezone)
  // The same for all columns: a new post with different times would count as edited.
  const saved = timeOfSave(before?.modified_gmt, now)
  const changed = modified ?? { local: gmtToSite(saved, timezone), gmt: saved }
  const floats = before !== undefined && FLOATING.has(before.status) && before.date_gmt === before.modified_gmt
  const kept = before && !floats && !changes.resetDate ? { local: before.date, gmt: before.date_gmt } : undefined
  // The date of a floating draft is the time of its last save, so that publishing it dates it now.
  const date = given ?? kept ?? (FLOATING.has(status) ? changed : { local: gmtToSite(now, timezone), gmt: now })
  return { date: date.local, date_gmt: date.gmt, modified: changed.local, modified_gmt: changed.gmt }
}

function pair(local: string | undefined, gmt: string | undefined, timezone: string) {
  if (local !== undefined) return { local, gmt: gmt ?? siteToGmt(local, timezone) }
  return gmt === undefined ? undefined : { local: gmtToSite(gmt, timezone), gmt }
}
