import type { ExtensionHost, PageContext } from 'pentad'
import { trailOf } from '../breadcrumbs/trail.ts'
import type { Head, PageHead } from '../head/index.ts'
import type { SeoSettings } from '../settings.ts'
import { articleThing, articleTypeOf, authorThing } from './article.ts'
import { breadcrumbThing } from './breadcrumb.ts'
import './hooks.ts'
import { pageThing } from './page.ts'
import { productThing } from './product.ts'
import { imageThing, publisherThing, websiteThing } from './site.ts'
import type { SchemaThing } from './types.ts'

/** Puts structured data (JSON-LD in the words of schema.org) into the head of every page that is there. */
export function registerSchema(
  host: ExtensionHost,
  { settings, head }: { settings: () => SeoSettings; head: Head },
): void {
  const { auth, hooks, log, site } = host

  async function graphOf(page: PageContext, described: PageHead): Promise<SchemaThing[]> {
    const { post, locked } = page
    const current = settings()
    const shown = page.kind === 'home' || locked ? undefined : post
    const type = shown && articleTypeOf(shown, described, current)
    const writer = page.author ?? (shown && type !== undefined ? await auth.users.get(shown.authorId) : undefined)
    if (writer) page.addTags(`author-${writer.id}`)
    const author = writer && authorThing(site.url, writer)
    const image = shown ? imageThing(described.openGraph.image, `${page.url}#primaryimage`) : undefined
    const { fields } = described
    const breadcrumb = breadcrumbThing(page, await trailOf(host, { page, fields, home: current.breadcrumbsHome }))
    const product = await hooks.applyFiltersAsync('seo_schema_product', null, page)
    return [
      websiteThing(host),
      await publisherThing(host, current, page),
      pageThing(host, page, {
        head: described,
        image: image?.['@id'],
        breadcrumb: breadcrumb?.['@id'],
        author: page.author ? author : undefined,
      }),
      ...(image ? [image] : []),
      ...(breadcrumb ? [breadcrumb] : []),
      ...(shown && type !== undefined
        ? [await articleThing(host, page, { post: shown, type, head: described, author, image: image?.['@id'] })]
        : []),
      ...(product ? [productThing(page, product)] : []),
    ]
  }

  hooks.addAction('wp_head', async (output, page) => {
    const described = head.of(page)
    if (!described || page.status !== 200 || page.preview || settings().schema === 'off') return
    const graph = await graphOf(page, described)
    const filtered = await hooks.applyFiltersAsync('seo_schema_graph', graph, page)
    const json = toJson(filtered) ?? toJson(graph)
    output.print(`<script type="application/ld+json">${json}</script>\n`)
  })

  /** Nothing in it can end the script that it stands in. */
  function toJson(graph: readonly SchemaThing[]): string | undefined {
    try {
      return JSON.stringify({ '@context': 'https://schema.org', '@graph': graph }).replaceAll('<', '\\u003c')
    } catch (error) {
      log.error({ err: error }, 'what the filter seo_schema_graph answered is no JSON')
      return undefined
    }
  }
}
