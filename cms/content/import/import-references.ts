import { createHash } from 'node:crypto'
import type { Database } from '../../../core/database/index.ts'
import { createBackgroundYield } from '../../threads/yielding.ts'
import type { Addresses } from '../addresses.ts'
import { cleanText } from '../rows.ts'
import type { Content, Post } from '../types.ts'
import { parseFileUrl } from './attachment-url.ts'
import { idsInText, replaceIds } from './ids-in-text.ts'
import type { MediaMap } from './media-map.ts'
import { PENDING, type Pending, pendingValues, readPending } from './pending.ts'

type Texts = Pick<Post, 'content' | 'excerpt'>

/** References in texts to posts and media that have another ID or URL on this site, or are in a later file of the export. */
export interface References {
  /** Called for each post of the export, with its texts as imported. */
  note(id: number, texts: Texts): void
  /** The id here of a post of the export, once all are imported; also of posts from earlier imports. */
  idOf(oldId: number): Promise<number | undefined>
  /** Called when everything is imported: rewrites texts that were not changed since. `isComplete`: no further files follow. */
  finish(isComplete: boolean): Promise<void>
}

/** Posts whose texts are read per query. */
const BATCH = 50

/** @param newIds - Ids here by those of the export; those that earlier imports gave are added. */
export async function createReferences(parts: {
  content: Content
  database: Database
  addresses: Addresses
  media: MediaMap
  /** Addresses of the old site, its own first. */
  urls: readonly string[]
  siteUrl: string
  newIds: Map<number, number>
}): Promise<References> {
  const { content, database, addresses, media, siteUrl, newIds } = parts
  const [source = ''] = parts.urls
  const ownHost = parseFileUrl(`${siteUrl}/`)?.host
  const hosts = new Set(parts.urls.map((url) => parseFileUrl(`${url}/`)?.host).filter((host) => host !== ownHost))
  /** For each post, the references in its imported text, and a digest of that text. */
  const noted = new Map<number, { readonly ids: ReadonlySet<number>; readonly text: string }>()
  const imported = new Set<number>()
  const looked = new Map<number, number | undefined>()
  /** Ids here of the posts of the export. */
  let occupied: ReadonlySet<number> | undefined
  for (const { id, oldId } of await readPending(database, 'post', source)) if (oldId > 0) newIds.set(oldId, id)

  /** An earlier import may have imported it under its original ID. */
  async function look(oldId: number): Promise<number | undefined> {
    occupied ??= new Set(newIds.values())
    if (occupied.has(oldId)) return undefined
    const host = parseFileUrl((await content.posts.get(oldId))?.guid ?? '')?.host
    return hosts.has(host) ? oldId : undefined
  }

  async function idOf(oldId: number): Promise<number | undefined> {
    const known = newIds.get(oldId)
    if (known !== undefined) return known
    if (!looked.has(oldId)) looked.set(oldId, await look(oldId))
    return looked.get(oldId)
  }

  async function write(post: Post, texts: Texts, pending: Pending | undefined, left: readonly number[]): Promise<void> {
    const { modified, modifiedGmt, date, dateGmt } = post
    const text = left.length > 0 ? identity(texts) : ''
    await content.posts.update(post.id, {
      ...{ modified, modifiedGmt, date, dateGmt, ...texts, keepsRevision: false },
      meta: { [PENDING]: pendingValues({ ...pending, source, ids: left, text }) },
    })
  }

  async function rewriteIds(isComplete: boolean): Promise<void> {
    const yieldTurn = createBackgroundYield()
    const pending = new Map((await readPending(database, 'post', source)).map((each) => [each.id, each]))
    const waiting = new Map([...pending.values()].filter(({ ids }) => ids.length > 0).map((each) => [each.id, each]))
    const all = new Map<number, { readonly ids: Iterable<number>; readonly text: string }>([...waiting, ...noted])
    for (const [id, { ids, text }] of all) {
      await yieldTurn()
      const others = new Map<number, number>()
      const unknown: number[] = []
      for (const oldId of ids) {
        const newId = await idOf(oldId)
        if (newId === undefined) unknown.push(oldId)
        else if (newId !== oldId) others.set(oldId, newId)
      }
      const known = waiting.get(id)
      const left = isComplete ? unknown : (known?.ids ?? [])
      const isSame = left.length === (known?.ids.length ?? 0)
      if (others.size === 0 && isSame) continue
      const post = await content.posts.get(id)
      // Unless another import has rewritten it, or a user has changed the text.
      const isAsImported = post && [text, known?.text].includes(identity(post))
      if (!post || !isAsImported) continue
      const replaced = (part: string) => replaceIds(part, siteUrl, (oldId) => others.get(oldId) ?? oldId)
      await write(post, { content: replaced(post.content), excerpt: replaced(post.excerpt) }, pending.get(id), left)
    }
  }

  /** Texts of earlier imports name media at hosts that only the attachments of this one explain. */
  async function rewriteMedia(): Promise<void> {
    const found = media.hosts().filter((host) => host !== ownHost)
    if (found.length === 0) return
    const pending = new Map((await readPending(database, 'post', source)).map((each) => [each.id, each]))
    for (let last = 0; ; ) {
      const rows = await database.db
        .selectFrom('posts')
        .select(['id', 'guid'])
        .where('id', '>', last)
        .where((build) => build.or(found.map((host) => build('content', 'like', `%${host}%`))))
        .orderBy('id')
        .limit(BATCH)
        .execute()
      for (const { id, guid } of rows) {
        if (imported.has(id) || !hosts.has(parseFileUrl(guid)?.host)) continue
        const post = await content.posts.get(id)
        if (!post) continue
        const texts = { content: addresses.inText(post.content), excerpt: addresses.inText(post.excerpt) }
        const isChanged = identity(texts) !== identity(post)
        if (isChanged) await write(post, texts, pending.get(id), pending.get(id)?.ids ?? [])
      }
      const next = rows.at(-1)
      if (next === undefined || rows.length < BATCH) return
      last = next.id
    }
  }

  return {
    note(id, given) {
      imported.add(id)
      const texts = { content: cleanText(given.content), excerpt: cleanText(given.excerpt) }
      const ids = idsInText(`${texts.content}\n${texts.excerpt}`, siteUrl)
      if (ids.size > 0) noted.set(id, { ids, text: identity(texts) })
    },
    idOf,
    async finish(isComplete) {
      await rewriteIds(isComplete)
      await rewriteMedia()
    },
  }
}

/** A digest that shows whether a text was changed. */
function identity({ content, excerpt }: Texts): string {
  return createHash('sha256')
    .update(JSON.stringify([content, excerpt]))
    .digest('base64url')
    .slice(0, 22)
}
