import { type ExtensionHost, escapeHtml, type PageContext } from 'pentad'
import type { Hits } from './hits.ts'
import type { LiveRules } from './live-rules.ts'
import { type Address, parseAddress, toAddress } from './matching/address.ts'
import type { Answer } from './matching/rule-set.ts'
import { pathTag } from './terms.ts'
import { STATUSES } from './types.ts'

/** Before other extensions answer: what an administrator redirects is redirected. */
const EARLY = 1
/** A visitor's browser gives up after 20. */
const MOST_HOPS = 25

/** Seconds for which browsers may keep a permanent redirect: without a time they keep it for ever, and it cannot be undone. */
const PERMANENT_FOR = 3_600

/** Answers with other statuses, such as 304, are no rule's, and are not looked up again. */
const BY_RULES: ReadonlySet<number> = new Set(STATUSES)

/** What those see who ask for what is gone. */
const GONE: Readonly<Record<number, { title: string; text: string }>> = {
  410: { title: 'Gone', text: 'This page has been permanently removed.' },
  451: { title: 'Unavailable For Legal Reasons', text: 'This page is not available for legal reasons.' },
}

/** Answers public requests by the rules, and counts the answers that went out. */
export function answerByRules(
  host: Pick<ExtensionHost, 'hooks'>,
  parts: { live: LiveRules; hits: Hits; isOn: () => boolean },
): void {
  const { live, hits, isOn } = parts

  /** What is answered; a rule that would send in a circle is passed over. */
  function find(address: Address): Answer | undefined {
    const found = live.rules().find(address)
    if (!found || found.location === null) return found
    return live.rules().trace(address, MOST_HOPS).end === 'loop' ? undefined : found
  }

  host.hooks.addAction(
    'template_redirect',
    async (page) => {
      // A cached page goes when a rule for its path is made, and not because some other one is.
      if (!page.answered) page.addTags(pathTag(page.request.path))
      if (page.answered || !isOn()) return
      // Where they cannot be read yet the site goes on without them.
      await live.ready().catch(() => {})
      const found = find(toAddress(page.request.path, page.request.query.toString()))
      if (found) respond(page, found)
    },
    EARLY,
  )

  // Only here is known that a visitor got the answer: a page cache asks too, and then asks once more for the visitor.
  host.hooks.addAction('request_answered', ({ method, url, status }) => {
    if (!BY_RULES.has(status) || !isOn()) return
    if (method !== 'GET' && method !== 'HEAD') return
    const found = find(parseAddress(url))
    if (found?.rule.status === status) hits.count(found.rule.id)
  })
}

function respond(page: PageContext, { rule, location }: Answer): void {
  const { status } = rule
  const isPermanent = status === 301 || status === 308
  const caching = isPermanent ? `public, max-age=${PERMANENT_FOR}` : 'no-store'
  const headers = { 'X-Redirect-By': 'Pentad', 'Cache-Control': caching }
  if (location !== null) {
    page.respond({ status, headers: { ...headers, Location: location } })
    return
  }
  const { title = '', text = '' } = GONE[status] ?? {}
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)}</title><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></html>`
  page.respond({ status, headers: { ...headers, 'X-Robots-Tag': 'noindex' }, body })
}
