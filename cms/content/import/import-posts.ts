import { lookup } from 'mime-types'
import type { Database } from '../../../core/database/index.ts'
import type { JsonValue } from '../../../core/options/types.ts'
import { createBackgroundYield } from '../../threads/yielding.ts'
import type { Addresses } from '../addresses.ts'
import { filesOfAttachment } from '../media/remove.ts'
import { isMedia } from '../media/upload-path.ts'
import { ITEM_OBJECT_ID, ITEM_PARENT, ITEM_TYPE, MENU_ITEM } from '../menus/item-meta.ts'
import type { Content, Post } from '../types.ts'
import { attachedFile, parseFileUrl } from './attachment-url.ts'
import type { Authors } from './authors.ts'
import { createItemSearch } from './find-item.ts'
import { importComments } from './import-comments.ts'
import type { References } from './import-references.ts'
import type { TermImport } from './import-terms.ts'
import { times } from './item-times.ts'
import type { ImportJournal } from './journal.ts'
import { readMeta } from './meta.ts'
import { ownCopy } from './own-copy.ts'
import { fromPending, PENDING, type Pending, pendingValues, readPending } from './pending.ts'
import { type ImportReport, note, tallyOf } from './report.ts'
import type { WantedFiles } from './wanted-files.ts'
import type { WxrItem } from './wxr.ts'

export interface PostImport {
  add(item: WxrItem): Promise<void>
  /** Sets parents and featured images that were imported after their posts. `complete`: no further items follow. */
  finish(complete: boolean): Promise<void>
  /** IDs on this site of the attachments of the export. */
  attachments(): readonly number[]
}

const THUMBNAIL = '_thumbnail_id'
/** Id of a post that a dry run does not add. */
const NOT_ADDED = 0

/** The texts of an item with the URLs of this site. */
interface Texts {
  readonly title: string
  readonly content: string
  readonly excerpt: string
  readonly meta: Record<string, readonly JsonValue[]>
  /** Of an attachment, below the uploads folder; empty if there is none. */
  readonly file: string
}

/** Posts keep their IDs if available, and all other data as exported; nothing is sanitized. */
export function createPostImport(parts: {
  content: Content
  database: Database
  addresses: Addresses
  /** For comments, which are identified by their text: it must not depend on the rest of the export. */
  plainAddresses: Addresses
  authors: Authors
  terms: TermImport
  references: References
  /** IDs on this site by IDs of the export. */
  newIds: Map<number, number>
  source: string
  files: WantedFiles
  journal: ImportJournal
  dryRun: boolean
  /** Called for each imported or existing post. */
  onPost(item: WxrItem, id: number): void
  report: ImportReport
}): PostImport {
  const { content, database, addresses, authors, terms, references, newIds, source, files, journal, dryRun, report } =
    parts
  const { guidOf, find } = createItemSearch({ content, database, addresses, source })
  /** Ids here of the items of this export. */
  const imported = new Set<number>()
  const attachments: number[] = []
  /** Posts counted by a dry run, by type and guid. */
  const counted = new Map<string, number>()

  async function insert(item: WxrItem, texts: Texts): Promise<number> {
    const { meta, file } = texts
    const thumbnail = Number(meta._thumbnail_id?.[0] ?? 0) || 0
    const newThumbnail = newIds.get(thumbnail)
    const newParent = newIds.get(item.parent)
    if (thumbnail !== 0) delete meta._thumbnail_id
    if (newThumbnail !== undefined) meta._thumbnail_id = [String(newThumbnail)]
    if (meta._edit_last) meta._edit_last = [String(authors.idOfOldId(Number(meta._edit_last[0])))]
    const waits = {
      ...(item.parent > 0 && newParent === undefined ? { parent: item.parent, slug: item.slug } : {}),
      ...(thumbnail !== 0 && newThumbnail === undefined ? { thumbnail } : {}),
      ...(item.type === MENU_ITEM ? menuEntryWaits(meta) : {}),
    }
    if (Object.keys(waits).length > 0) meta[PENDING] = pendingValues({ source, ...waits })
    const template = meta._wp_page_template?.[0]
    const post = await content.posts.insert({
      id: item.id,
      type: item.type,
      status: item.status,
      authorId: await authors.idOf(item.author),
      parentId: newParent ?? 0,
      menuOrder: item.menuOrder,
      slug: item.slug,
      title: texts.title,
      content: texts.content,
      excerpt: texts.excerpt,
      password: item.password,
      commentStatus: item.commentStatus === 'open' ? 'open' : 'closed',
      pingStatus: item.pingStatus === 'open' ? 'open' : 'closed',
      sticky: item.sticky,
      template: typeof template === 'string' && template !== 'default' ? template : '',
      mimeType: item.type === 'attachment' ? lookup(file || item.attachmentUrl) || 'application/octet-stream' : '',
      guid: guidOf(item),
      ...times(item),
      meta,
      terms: await termIds(item),
    })
    return post.id
  }

  /** Reads the texts with URLs of this site. Existing posts are read too, because the files in their texts should exist. */
  function read(item: WxrItem): Texts {
    const meta: Record<string, readonly JsonValue[]> = readMeta(item.meta, addresses)
    const file = item.type === 'attachment' ? (attachedFile(item) ?? '') : ''
    if (item.type === 'attachment') {
      delete meta._wp_attached_file
      if (file !== '') meta._wp_attached_file = [file]
      for (const each of filesOfAttachment(meta)) {
        files.want(each, '')
        for (const url of [item.attachmentUrl, item.guid].filter(isFileUrl))
          files.want(each, each === file ? url : siblingUrl(url, each))
      }
    }
    const { title, content: text, excerpt } = item
    return {
      ...{ file, meta },
      ...{ title: addresses.inText(title), content: addresses.inText(text), excerpt: addresses.inText(excerpt) },
    }
  }

  async function termIds(item: WxrItem): Promise<Record<string, number[]>> {
    const ids = new Map<string, Set<number>>()
    // Existing terms need no query: without yielding, their loop would block the event loop.
    const yieldTurn = createBackgroundYield()
    for (const { taxonomy, slug, name } of item.terms) {
      await yieldTurn()
      const id = await terms.add({ id: 0, taxonomy, slug, name, description: '', parent: '', meta: [] })
      if (id === undefined || taxonomy === '__proto__') continue
      const ofTaxonomy = ids.get(taxonomy) ?? new Set()
      ids.set(taxonomy, ofTaxonomy.add(id))
    }
    return Object.fromEntries([...ids].map(([taxonomy, ofTaxonomy]) => [taxonomy, [...ofTaxonomy]]))
  }

  /** The effect of `insert`, for the report of a dry run. */
  async function count(item: WxrItem): Promise<number> {
    await authors.idOf(item.author)
    await termIds(item)
    counted.set(ownCopy(`${item.type} ${guidOf(item)}`), NOT_ADDED)
    return NOT_ADDED
  }

  async function add(item: WxrItem): Promise<void> {
    if (item.status === 'auto-draft') return
    if ([item.title, item.content, item.excerpt].some((text) => text.includes('\ufffd')))
      note(
        report.warnings,
        `Line ${item.line}: “${item.title}” contains unreadable characters. Make sure that the file is encoded in UTF-8.`,
      )
    const texts = read(item)
    if (item.type === 'attachment' && texts.file === '')
      note(report.warnings, `Line ${item.line}: the attachment “${item.title}” has no file in the uploads folder.`)
    const name = `${item.type} ${guidOf(item)}`
    const existing = (await find(item)) ?? counted.get(name)
    if (existing === undefined) await journal.note('post', name)
    const isAdded = existing === undefined || journal.take('post', name)
    const id = existing ?? (dryRun ? await count(item) : await insert(item, texts))
    tallyOf(report, item.type)[isAdded ? 'added' : 'existing']++
    imported.add(id)
    if (item.id > 0) newIds.set(item.id, id)
    if (!dryRun && item.id > 0 && id !== item.id) await rememberOldId(id, item.id)
    if (!dryRun) references.note(id, texts)
    if (item.type === 'attachment') attachments.push(id)
    parts.onPost(item, id)
    await importComments(id, item.comments, { ...parts, addresses: parts.plainAddresses })
  }

  /** An import of another file of this export may name the post by the id that it had. */
  async function rememberOldId(id: number, oldId: number): Promise<void> {
    const pending = fromPending((await content.meta.get('post', id, PENDING)) ?? null)
    if (pending.oldId === oldId) return
    await content.meta.set('post', id, PENDING, ...pendingValues({ ...pending, source, oldId }))
  }

  async function finish(complete: boolean): Promise<void> {
    const yieldTurn = createBackgroundYield()
    for (const pending of await readPending(database, 'post', source)) {
      await yieldTurn()
      const post = await content.posts.get(pending.id)
      if (post?.type === MENU_ITEM) await finishMenuEntry(post, pending, complete)
      else if (post) await finishPost(post, pending, complete)
    }
    await references.finish(complete)
  }

  async function finishPost(post: Post, pending: Pending, complete: boolean): Promise<void> {
    const { parent, thumbnail, slug } = pending
    const [parentId, image] = [await idOf(parent), await idOf(thumbnail)]
    const lost = [
      ...(parent !== 0 && parentId === undefined ? ['parent'] : []),
      ...(thumbnail !== 0 && image === undefined ? ['featured image'] : []),
    ].join(' and ')
    if (lost !== '' && complete && imported.has(post.id))
      note(report.warnings, `“${post.title}” was imported without its ${lost}, because the export does not include it.`)
    if (parentId === undefined && image === undefined) return
    // A user may have chosen another image since an earlier import.
    const isFree = image !== undefined && (await content.meta.get('post', post.id, THUMBNAIL)) === undefined
    const left = { ...pending, ...(parentId && { parent: 0, slug: '' }), ...(image && { thumbnail: 0 }) }
    const { modified, modifiedGmt, date, dateGmt } = post
    await content.posts.update(post.id, {
      ...{ modified, modifiedGmt, date, dateGmt },
      ...(parentId !== undefined && post.parentId === 0 ? { parentId, slug } : {}),
      meta: { [PENDING]: pendingValues(left), ...(isFree && { [THUMBNAIL]: [String(image)] }) },
    })
  }

  /** Targets of menu items, given by ids of the old site, can only be resolved once all items are imported. */
  async function finishMenuEntry(post: Post, old: Pending, complete: boolean): Promise<void> {
    const isTerm = (await content.meta.get('post', post.id, ITEM_TYPE)) === 'taxonomy'
    const object = isTerm ? terms.idOfOldId(old.object) : await idOf(old.object)
    const above = await idOf(old.above)
    const isDone = (old.above === 0 || above !== undefined) && (old.object === 0 || object !== undefined)
    if (!isDone && !complete) return
    if (!isDone && imported.has(post.id))
      note(report.warnings, `A menu item links to content that the export does not include.`)
    if (!isDone && !imported.has(post.id) && above === undefined && object === undefined) return
    const { modified, modifiedGmt } = post
    const left = { ...old, ...(above !== undefined && { above: 0 }), ...(object !== undefined && { object: 0 }) }
    const meta = {
      [PENDING]: pendingValues(left),
      ...(old.above > 0 && { [ITEM_PARENT]: [String(above ?? 0)] }),
      ...(old.object > 0 && { [ITEM_OBJECT_ID]: [String(object ?? 0)] }),
    }
    await content.posts.update(post.id, { modified, modifiedGmt, meta })
  }

  async function idOf(oldId: number): Promise<number | undefined> {
    return oldId === 0 ? undefined : references.idOf(oldId)
  }

  return { add, finish, attachments: () => attachments }
}

function isFileUrl(url: string): boolean {
  return isMedia(parseFileUrl(url)?.path.split('/').at(-1) ?? '')
}

/** The URL of a file in the same folder as another one. */
function siblingUrl(url: string, file: string): string {
  const folder = url.replace(/[?#].*$/, '').replace(/[^/]*$/, '')
  return folder === '' ? '' : folder + encodeURIComponent(file.slice(file.lastIndexOf('/') + 1))
}

/** A custom link has no target id: WordPress stores its own id there. */
function menuEntryWaits(meta: Readonly<Record<string, readonly JsonValue[]>>): { above?: number; object?: number } {
  const id = (key: string) => Number(meta[key]?.[0] ?? 0) || 0
  const isCustom = (meta[ITEM_TYPE]?.[0] ?? 'custom') === 'custom'
  const [above, object] = [id(ITEM_PARENT), isCustom ? 0 : id(ITEM_OBJECT_ID)]
  return { ...(above > 0 && { above }), ...(object > 0 && { object }) }
}
