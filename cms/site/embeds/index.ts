import type { Database } from '../../../core/database/index.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import { currentRequest } from '../../../core/http/request-context.ts'
import type { Logger } from '../../../core/log.ts'
import type { SettingsRegistry } from '../../../core/options/types.ts'
import type { Rest } from '../../../core/rest/types.ts'
import { isForExcerpt } from '../../content/render/excerpt-context.ts'
import { type FoundUrl, findUrls } from '../../content/render/find-urls.ts'
import type { Content, Post } from '../../content/types.ts'
import type { Jobs } from '../../jobs/types.ts'
import { currentPage } from '../current-page.ts'
import type { OwnOembed } from '../oembed.ts'
import { filterShapes } from './hooks.ts'
import { createOembedClient } from './oembed-client.ts'
import { createPageAssets } from './page-assets.ts'
import { createProviders } from './providers.ts'
import { createRequestLimit } from './request-limit.ts'
import { createResolver, type Wanted } from './resolver.ts'
import { scriptOrigins, withoutShortcodes } from './response-html.ts'
import { registerEmbedRoutes } from './routes.ts'
import { embedSettings } from './settings.ts'
import { openEmbedTable } from './table.ts'
import type { Embed, EmbedSize } from './types.ts'
import { registerUrlDetailsRoute } from './url-details.ts'
import { linkTo, previewOf } from './view.ts'

/** Defaults of WordPress without a `content_width`. */
const DEFAULT_SIZE: EmbedSize = { width: 500, height: 750 }
/** Maximum size in pixels. */
const LARGEST_SIDE = 10_000

/**
 * Embeds in content: WordPress's `WP_Embed`. Provider responses are fetched in the background and cached, so pages
 * never wait; until then a link is shown.
 * @param parts.isTrusted allows private addresses, for tests
 * @param parts.signal aborted when the host closes
 */
export async function createEmbeds(parts: {
  content: Content
  database: Database
  hooks: Hooks
  jobs: Jobs
  log: Logger
  rest: Rest
  settings: SettingsRegistry
  own: OwnOembed
  /** Site URL without a trailing slash. */
  origin: string
  isTrusted?: ((url: URL) => boolean) | undefined
  signal: AbortSignal
}): Promise<void> {
  const { content, database, hooks, jobs, log, rest, own, origin, isTrusted, signal } = parts
  hooks.declareFilters(filterShapes)
  const settings = parts.settings.register('embeds', embedSettings).settings.get
  const table = await openEmbedTable(database)
  const client = createOembedClient({
    ...{ isTrusted, signal },
    filterUrl: (endpoint, url, size) => hooks.applyFilters('oembed_fetch_url', endpoint, url, size),
  })
  const limit = createRequestLimit()
  const providers = createProviders(hooks, origin)
  const resolver = createResolver({ hooks, jobs, log, client, table, providers, limit })
  const assets = createPageAssets(hooks)
  jobs.schedule('prune-embeds', '52 4 * * *', () => table.prune())

  const isOwn = (url: string) => URL.parse(url)?.origin === origin

  function sizeOf({ url, attributes }: FoundUrl): EmbedSize {
    const { width, height } = hooks.applyFilters('embed_defaults', DEFAULT_SIZE, url)
    return { width: side(attributes?.width) ?? width, height: side(attributes?.height) ?? height }
  }

  const toWanted = (found: FoundUrl): Wanted => ({ url: found.url, ...sizeOf(found) })

  /** Whether an external provider handles a URL, among about fifty patterns. */
  const isOffered = ({ url }: FoundUrl) => !isOwn(url) && resolver.has(url)

  const toLink = (url: string) => hooks.applyFilters('embed_maybe_make_link', linkTo(url), url)

  async function ownHtml(url: string): Promise<string | undefined> {
    const post = await own.find(url)
    if (!post) return undefined
    currentPage()?.addTags(`post-${post.id}`)
    const { html } = await own.describe(post, DEFAULT_SIZE.width)
    return withoutShortcodes(String(html))
  }

  async function htmlOf(embed: Embed, wanted: Wanted, post: Post): Promise<string> {
    const size: EmbedSize = { width: wanted.width, height: wanted.height }
    const html = await hooks.applyFiltersAsync('embed_oembed_html', embed.html ?? '', embed.url, size, post)
    const isLink = embed.answer?.type === 'link'
    const preview = settings().previews === 'on' && !isLink
    assets.note({ key: embed.key, preview, scripts: scriptOrigins(html, isTrusted) })
    return preview ? previewOf(embed, html) : withoutShortcodes(html)
  }

  async function shownFor(found: FoundUrl, wanted: Wanted | undefined, known: ReadonlyMap<string, Embed>, post: Post) {
    if (wanted) {
      const key = resolver.keyOf(wanted)
      const embed = known.get(key)
      if (embed?.html) return htmlOf(embed, wanted, post)
      assets.note({ key, preview: false, scripts: [] })
      return toLink(found.url)
    }
    const html = isOwn(found.url) ? await ownHtml(found.url) : undefined
    return html ?? (found.attributes ? toLink(found.url) : undefined)
  }

  async function embedIn(html: string, urls: readonly FoundUrl[], post: Post): Promise<string> {
    const isPlain = settings().embeds === 'off' || isForExcerpt() || currentPage()?.feed === true
    const offered = new Map(urls.filter(isOffered).map((found) => [found, toWanted(found)]))
    const known = isPlain ? new Map<string, Embed>() : await resolver.find([...offered.values()])
    let embedded = ''
    let from = 0
    for (const found of urls) {
      const wanted = offered.get(found)
      const isLink = found.attributes !== undefined || isOwn(found.url) || wanted !== undefined
      const shown = isPlain ? isLink && toLink(found.url) : await shownFor(found, wanted, known, post)
      if (typeof shown !== 'string') continue
      embedded += html.slice(from, found.start) + shown
      from = found.end
    }
    return embedded + html.slice(from)
  }

  for (const name of ['the_content', 'synced_pattern_content'] as const) {
    hooks.addFilter(
      name,
      function autoembed(html, post) {
        const urls = findUrls(html)
        return urls.length === 0 ? html : embedIn(html, urls, post)
      },
      8,
    )
  }
  // Registered as an empty shortcode, so that excerpts omit it.
  content.addShortcode('embed', () => '')

  // Prefetched on save, so that the first visitor sees the embed. After imports and commands, URLs are fetched on
  // demand.
  hooks.addAction('save_post', async function cache_oembed(_id, post) {
    if (currentRequest() === undefined || settings().embeds === 'off') return
    if (post.status === 'auto-draft' || !content.postTypes().get(post.type)?.public) return
    await resolver.find(findUrls(post.content).filter(isOffered).map(toWanted))
  })

  registerEmbedRoutes({ rest, resolver, own })
  registerUrlDetailsRoute({ rest, content, isTrusted, limit, signal })
}

/** Pixels as authors write them: `640`, `640px`. */
function side(text: string | undefined): number | undefined {
  const pixels = Number.parseInt(text ?? '', 10)
  return pixels > 0 && pixels <= LARGEST_SIDE ? pixels : undefined
}
