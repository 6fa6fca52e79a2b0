import { createBackgroundYield } from '../../threads/yielding.ts'
import type { Addresses } from '../addresses.ts'
import type { Comment, Content } from '../types.ts'
import type { Authors } from './authors.ts'
import type { ImportJournal } from './journal.ts'
import { readMeta } from './meta.ts'
import type { ImportReport } from './report.ts'
import type { WxrComment } from './wxr.ts'

const STATUS: Readonly<Record<string, Comment['status']>> = {
  '1': 'approved',
  approved: 'approved',
  spam: 'spam',
  trash: 'trash',
  'post-trashed': 'trash',
}

/** Adds the missing comments of a post, each after its parent; comments are identified by date, author and text. */
export async function importComments(
  postId: number,
  comments: readonly WxrComment[],
  parts: {
    content: Content
    authors: Authors
    addresses: Addresses
    journal: ImportJournal
    dryRun: boolean
    report: ImportReport
  },
): Promise<void> {
  if (comments.length === 0) return
  const { content, authors, addresses, journal, report } = parts
  const existing = new Map(
    (await content.comments.allOfPost(postId)).flatMap((comment) => [
      // One that was exported without a date got that of its import.
      [identity({ ...comment, date: '' }), comment.id],
      [identity(comment), comment.id],
    ]),
  )
  const newIds = new Map<number, number>()

  const yieldTurn = createBackgroundYield()
  for (const comment of parentsFirst(comments)) {
    await yieldTurn()
    const text = addresses.inText(comment.content)
    const [date, dateGmt] = [time(comment.date), time(comment.dateGmt)]
    const itself = identity({
      date: date || dateGmt,
      authorName: comment.author,
      authorEmail: comment.email,
      content: text,
    })
    const known = existing.get(itself)
    if (known !== undefined) {
      newIds.set(comment.id, known)
      report.comments[journal.take('comment', `${postId} ${itself}`) ? 'added' : 'existing']++
      continue
    }
    report.comments.added++
    if (parts.dryRun) continue
    await journal.note('comment', `${postId} ${itself}`)
    const { id } = await content.comments.insert({
      postId,
      parentId: newIds.get(comment.parent) ?? 0,
      userId: authors.idOfOldId(comment.userId),
      authorName: comment.author,
      authorEmail: comment.email,
      authorUrl: webAddress(addresses.inText(comment.url)),
      authorAddress: comment.address,
      userAgent: '',
      content: text,
      status: STATUS[comment.approved] ?? 'hold',
      type: comment.type,
      date,
      dateGmt,
      meta: readMeta(comment.meta, addresses),
    })
    newIds.set(comment.id, id)
  }
}

/** WordPress adds `rel="nofollow ugc"` to the links of a comment that it takes or imports. */
function identity(comment: Pick<Comment, 'date' | 'authorName' | 'authorEmail' | 'content'>): string {
  const text = comment.content.replace(/ rel="[^"<>]*"/g, '')
  return JSON.stringify([comment.date, comment.authorName, comment.authorEmail, text])
}

/** The URL of a commenter becomes a link, so only http and https are accepted. */
function webAddress(url: string): string {
  return /^https?:\/\//i.test(url.trim()) ? url.trim() : ''
}

/** `2026-02-01T10:00:00`; empty for an invalid date. */
function time(text: string): string {
  const match = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)$/.exec(text.trim())
  const value = match ? `${match[1]}T${match[2]}` : ''
  return value === '' || Number.isNaN(Date.parse(`${value}Z`)) ? '' : value
}

function parentsFirst(comments: readonly WxrComment[]): WxrComment[] {
  const ids = new Set(comments.map(({ id }) => id))
  const children = Map.groupBy(comments, ({ id, parent }) => (ids.has(parent) && parent !== id ? parent : 0))
  const ordered: WxrComment[] = []
  for (const comment of children.get(0) ?? []) ordered.push(comment)
  // The array grows during the iteration.
  for (const { id } of ordered) {
    if (id !== 0) for (const child of children.get(id) ?? []) ordered.push(child)
    children.delete(id)
  }
  if (ordered.length === comments.length) return ordered
  // Comments in a cycle of replies come last.
  const known = new Set(ordered)
  return [...ordered, ...comments.filter((one) => !known.has(one))]
}
