import type { ExtensionHost } from 'pentad'
import type { Indexable } from '../indexable.ts'
import type { SeoSettings } from '../settings.ts'
import type { PendingPage, PendingPages } from './pending-pages.ts'
import { describe, isTemporary, MOST_URLS, type Outcome } from './protocol.ts'

/** Retry delay after a failed submission, in ms: as long as the pages have been pending, within these limits. */
const SHORTEST_WAIT = 60_000
const LONGEST_WAIT = 3_600_000

/** Submits pending pages. */
export interface Submitter {
  run(signal: AbortSignal): Promise<void>
}

/** Submits all pending pages in one request, at each run. */
export function createSubmitter(
  { content, log }: Pick<ExtensionHost, 'content' | 'log'>,
  parts: {
    settings: () => SeoSettings
    indexable: Indexable
    waiting: PendingPages
    send(urls: readonly string[], origin: 'automatic', signal: AbortSignal): Promise<{ outcome: Outcome }>
  },
): Submitter {
  const { settings, indexable, waiting, send } = parts

  /** A queued page may no longer be indexable. If the post no longer exists, the page was deleted and is submitted. */
  async function hidden(pages: readonly PendingPage[]): Promise<Set<PendingPage>> {
    if (settings().indexNow !== 'on') return new Set(pages)
    const posts = await content.posts.getMany([...new Set(pages.map(({ postId }) => postId))])
    const shown = new Set((await indexable.posts([...posts.values()])).map(({ id }) => id))
    const isHidden = ({ url, postId }: PendingPage) => {
      const post = posts.get(postId)
      return post !== undefined && content.link(post) === url && !shown.has(postId)
    }
    return new Set(pages.filter(isHidden))
  }

  return {
    async run(signal) {
      const takenAt = Date.now()
      const due = await waiting.due(takenAt, MOST_URLS)
      if (due.length === 0) return
      const dropped = await hidden(due)
      await waiting.drop([...dropped])
      const pages = due.filter((page) => !dropped.has(page))
      const [oldest] = pages
      if (oldest === undefined) return
      const urls = pages.map(({ url }) => url)
      const { outcome } = await send(urls, 'automatic', signal)
      if (outcome.kind === 'accepted') {
        await waiting.sent(pages, takenAt)
        return
      }
      log.warn({ urls: urls.length, status: outcome.status }, `IndexNow: ${describe(outcome.status)}`)
      if (isTemporary(outcome)) await waiting.putOff(pages, takenAt + waitOf(outcome, takenAt - oldest.since))
      else await waiting.drop(pages)
    },
  }
}

/** Retry delay in ms: `Retry-After`, or as long as the pages have been pending. */
function waitOf(outcome: Outcome, waited: number): number {
  const asked = outcome.kind === 'rejected' ? Number(outcome.retryAfter ?? Number.NaN) * 1000 : Number.NaN
  const wanted = Number.isFinite(asked) ? asked : waited
  return Math.min(Math.max(SHORTEST_WAIT, wanted), LONGEST_WAIT)
}
