import type { ExtensionHost, PageContext, PageTexts } from 'pentad'
import type { Hits } from './hits.ts'
import type { LiveRules } from './live-rules.ts'
import { type Address, parseAddress, toAddress } from './matching/address.ts'
import type { RedirectMatch } from './matching/rule-set.ts'
import { pathTag } from './terms.ts'
import { STATUSES } from './types.ts'

/** Before other extensions respond, so that redirects take precedence. */
const EARLY = 1
/** Browsers stop after 20 redirects. */
const MOST_HOPS = 25

/**
 * Lifetime of permanent redirects in browser caches, in seconds: without a limit, browsers would cache them forever.
 */
const PERMANENT_FOR = 3_600

/** Responses with other statuses, such as 304, do not come from a redirect. */
const BY_RULES: ReadonlySet<number> = new Set(STATUSES)

/** Title and text of the pages for 410 and 451, as HTML. */
const goneTexts = (status: number, { esc_html__ }: PageTexts) =>
  status === 410
    ? { title: esc_html__('Page removed'), text: esc_html__('This page has been permanently removed.') }
    : {
        title: esc_html__('Unavailable for legal reasons'),
        text: esc_html__('This page is not available for legal reasons.'),
      }

/** Applies redirects to public requests, and counts the responses. */
export function applyRedirects(
  { hooks, textsFor }: Pick<ExtensionHost, 'hooks' | 'textsFor'>,
  parts: { live: LiveRules; hits: Hits; isOn: () => boolean },
): void {
  const { live, hits, isOn } = parts

  /** The response; a redirect that would loop is ignored. */
  function find(address: Address): RedirectMatch | undefined {
    const found = live.rules().find(address)
    if (!found || found.location === null) return found
    return live.rules().trace(address, MOST_HOPS).end === 'loop' ? undefined : found
  }

  hooks.addAction(
    'template_redirect',
    (page) => {
      if (page.responded) return
      // A cached page is only purged when a redirect for its own path changes.
      page.addTags(pathTag(page.request.path))
      if (!isOn()) return
      const apply = () => {
        const found = find(toAddress(page.request.path, page.request.query.toString()))
        if (found) return respond(page, found, textsFor)
      }
      if (live.isReady) return apply()
      // If redirects cannot be loaded, the site works without them.
      return live.ready().then(apply, apply)
    },
    EARLY,
  )

  // Counted here, when a visitor got the response: a page cache also makes requests of its own.
  hooks.addAction('response_sent', ({ method, url, status }) => {
    if (!BY_RULES.has(status) || !isOn()) return
    if (method !== 'GET' && method !== 'HEAD') return
    const found = find(parseAddress(url))
    if (found?.rule.status === status) hits.count(found.rule.id)
  })
}

async function respond(
  page: PageContext,
  { rule, location }: RedirectMatch,
  textsFor: ExtensionHost['textsFor'],
): Promise<void> {
  const { status } = rule
  const isPermanent = status === 301 || status === 308
  const caching = isPermanent ? `public, max-age=${PERMANENT_FOR}` : 'no-store'
  const headers = { 'X-Redirect-By': 'Pentad', 'Cache-Control': caching }
  if (location !== null) {
    page.respond({ status, headers: { ...headers, Location: location } })
    return
  }
  const texts = await textsFor()
  const { title, text } = goneTexts(status, texts)
  const body = `<!doctype html><html lang="${texts.language}" dir="${texts.direction}"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>${text}</p></html>`
  page.respond({ status, headers: { ...headers, 'X-Robots-Tag': 'noindex' }, body })
}
