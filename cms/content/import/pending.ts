import type { Database } from '../../../core/database/index.ts'
import type { JsonValue } from '../../../core/options/types.ts'
import { asRecord } from '../media/details.ts'
import { fromJsonText } from '../rows.ts'

/**
 * The remaining work for a post or term is stored as its meta, in the same transaction, as in WordPress's importers, so that the next
 * import completes an interrupted one, and references to content in later files of the export.
 */
export const PENDING = '_pentad_import'

export interface Pending {
  /** URL of the site that the export comes from, in which the old ids are valid. */
  readonly source: string
  /** Old id of the parent post. */
  readonly parent: number
  /** The intended slug below that parent. */
  readonly slug: string
  /** Old id of the featured image. */
  readonly thumbnail: number
  /** Slug of the parent term. */
  readonly parentSlug: string
  /** For a menu item: old ids of its parent, and of its target post or term. */
  readonly above: number
  readonly object: number
  /** ID of the post on the old site, if it was not available on this site. */
  readonly oldId: number
  /** Unresolved old ids in its texts, and a digest that shows whether these texts were changed since the import. */
  readonly ids: readonly number[]
  readonly text: string
}

/** The values of the meta field; empty if no work remains. */
export function pendingValues(pending: Partial<Pending> & Pick<Pending, 'source'>): JsonValue[] {
  const { source, parent = 0, slug = '', thumbnail = 0, parentSlug = '', above = 0, object = 0, oldId = 0 } = pending
  const { ids = [], text = '' } = pending
  const left: Record<string, JsonValue> = {
    ...(parent !== 0 && { parent, slug }),
    ...(thumbnail !== 0 && { thumbnail }),
    ...(parentSlug !== '' && { parentSlug }),
    ...(above !== 0 && { above }),
    ...(object !== 0 && { object }),
    ...(oldId !== 0 && { oldId }),
    ...(ids.length > 0 && { ids, text }),
  }
  return Object.keys(left).length === 0 ? [] : [{ source, ...left }]
}

/** All remaining work of this or a killed import. */
export async function readPending(
  { db }: Pick<Database, 'db'>,
  kind: 'post' | 'term',
  source: string,
): Promise<(Pending & { readonly id: number })[]> {
  const rows =
    kind === 'post'
      ? await db
          .selectFrom('postmeta')
          .select(['post_id as id', 'meta_value'])
          .where('meta_key', '=', PENDING)
          .execute()
      : await db
          .selectFrom('termmeta')
          .select(['term_id as id', 'meta_value'])
          .where('meta_key', '=', PENDING)
          .execute()
  return rows
    .map(({ id, meta_value: value }) => ({ id, ...fromPending(fromJsonText(value)) }))
    .filter((pending) => pending.source === source)
}

export function fromPending(value: JsonValue): Pending {
  const record = asRecord(value)
  const text = (item: JsonValue | undefined) => (typeof item === 'string' ? item : '')
  const number = (item: JsonValue | undefined) => (typeof item === 'number' ? item : 0)
  return {
    source: text(record.source),
    parent: number(record.parent),
    slug: text(record.slug),
    thumbnail: number(record.thumbnail),
    parentSlug: text(record.parentSlug),
    above: number(record.above),
    object: number(record.object),
    oldId: number(record.oldId),
    ids: Array.isArray(record.ids) ? record.ids.filter((id) => typeof id === 'number') : [],
    text: text(record.text),
  }
}
