import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../../core/database/index.ts'
import type { Addresses } from '../addresses.ts'
import { GUID_INDEXED } from '../migrations.ts'
import { NOT_REVISION } from '../posts/filters.ts'
import { cleanText, toJsonText } from '../rows.ts'
import { sanitizeTitle } from '../slug.ts'
import type { Content } from '../types.ts'
import { attachedFile } from './attachment-url.ts'
import { readDate } from './item-times.ts'
import type { WxrItem } from './wxr.ts'

/** Recognizes the items of an export that already exist. */
export function createItemSearch(parts: {
  readonly content: Pick<Content, 'siteSettings'>
  readonly database: Database
  readonly addresses: Addresses
  /** The URL of the old site. */
  readonly source: string
}): { guidOf(item: WxrItem): string; find(item: WxrItem): Promise<number | undefined> } {
  const { content, database, addresses, source } = parts

  /**
   * An item exported without a guid gets the one that WordPress would give it by its id, or one derived from its content, so that the next
   * import recognizes it.
   */
  function guidOf({ guid, id, type, slug, title, date, content: text }: WxrItem): string {
    if (guid !== '') return guid
    if (id > 0) return `${source}/?p=${id}`
    return `${source}/?import=${createHash('sha256')
      .update(JSON.stringify([type, slug, title, date, text]))
      .digest('hex')}`
  }

  /** By guid and type; an attachment also by its file. */
  async function find(item: WxrItem): Promise<number | undefined> {
    const { type, slug, title, date } = item
    const guid = cleanText(guidOf(item))
    const local = readDate(date)?.replace('T', ' ') ?? ''
    const sameSlug = sanitizeTitle(slug, content.siteSettings().language)
    const found = await database.db
      .selectFrom('posts')
      .select('id')
      .where('type', '=', cleanText(type))
      .where(NOT_REVISION)
      .where(sql`substr(guid, 1, ${sql.lit(GUID_INDEXED)})`, '=', [...guid].slice(0, GUID_INDEXED).join(''))
      .where('guid', '=', guid)
      // A post written on this site may have the GUID of one written on the old site, if both sites have the same URL.
      .where(sql<boolean>`(title = ${cleanText(addresses.inText(title))} or date = ${local} or slug = ${sameSlug})`)
      .limit(1)
      .executeTakeFirst()
    const file = found === undefined && type === 'attachment' ? attachedFile(item) : undefined
    return file === undefined ? found?.id : findFile({ file, status: item.status, date: local, slug: sameSlug })
  }

  /** WordPress's importer gives attachments new guids, so attachments with the same file, date and slug are the same. */
  async function findFile(same: { file: string; status: string; date: string; slug: string }) {
    const found = await database.db
      .selectFrom('posts')
      .innerJoin('postmeta', 'postmeta.post_id', 'posts.id')
      .select('posts.id')
      .where('posts.type', '=', 'attachment')
      .where('posts.status', '=', cleanText(same.status))
      .where('posts.date', '=', same.date)
      .where('posts.slug', '=', same.slug)
      .where('postmeta.meta_key', '=', '_wp_attached_file')
      .where('postmeta.meta_value', '=', toJsonText(same.file))
      .limit(1)
      .executeTakeFirst()
    return found?.id
  }

  return { guidOf, find }
}
