import { siteToGmt } from '../../content/site-time.ts'
import type { Post } from '../../content/types.ts'

/** What the preview of a post shows instead of what is stored; `undefined` for what has not changed. */
export interface UnsavedRelations {
  readonly postId: number
  /** The featured image; 0 for none. */
  readonly imageId: number | undefined
  /** Terms of all taxonomies. */
  readonly termIds: readonly number[] | undefined
  readonly authorId: number | undefined
}

/**
 * The unsaved relations in the address of a preview. The editor puts them there, as WordPress does with the featured image, so
 * that nothing is stored: `_thumbnail_id=7&preview_terms=1,2&preview_author=3`.
 */
export function unsavedRelations(query: URLSearchParams, postId: number): UnsavedRelations {
  const terms = query.get('preview_terms')
  return {
    postId,
    imageId: idIn(query.get('_thumbnail_id')),
    termIds: terms === null ? undefined : terms.split(',').map(Number).filter(isId),
    authorId: idIn(query.get('preview_author')),
  }
}

/** The unsaved date in the address of a preview, in the site's time: `preview_date=2026-01-31T12:00:00`. */
export function unsavedDate(query: URLSearchParams, timezone: string): Pick<Post, 'date' | 'dateGmt'> | undefined {
  const date = query.get('preview_date') ?? ''
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(date) || Number.isNaN(Date.parse(`${date}Z`))) return undefined
  return { date, dateGmt: siteToGmt(date, timezone).replace(' ', 'T') }
}

/** WordPress's editor sends -1 for no image. */
function idIn(value: string | null): number | undefined {
  if (value === null) return undefined
  return isId(Number(value)) ? Number(value) : 0
}

const isId = (id: number) => Number.isSafeInteger(id) && id > 0
