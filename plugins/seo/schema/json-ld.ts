import type { ExtensionHost, PageContext, PageOutput } from 'pentad'
import { trailOf } from '../breadcrumbs/trail.ts'
import { authorOf } from '../head/author.ts'
import { IMAGE_PATH } from '../head/default-image.ts'
import type { Head } from '../head/index.ts'
import type { PageHead } from '../head/page-head.ts'
import { createPageMemo } from '../head/page-memo.ts'
import type { SeoSettings } from '../settings.ts'
import { articleThing, articleTypeOf, authorThing } from './article.ts'
import { breadcrumbThing } from './breadcrumb.ts'
import './hooks.ts'
import { pageThing } from './page.ts'
import { productThing } from './product.ts'
import { imageThing, publisherThing, websiteThing } from './site.ts'
import type { SchemaThing } from './types.ts'

/** Adds structured data (schema.org as JSON-LD) to the head of every existing page. */
export function registerSchema(
  host: ExtensionHost,
  { settings, head }: { settings: () => SeoSettings; head: Head },
): void {
  const { hooks, log, site } = host

  const graphs = createPageMemo<{ readonly graph: readonly SchemaThing[]; readonly json: string | undefined }>()

  async function graphOf(
    page: PageContext,
    { described, product }: { described: PageHead; product: SchemaThing | null | undefined },
  ): Promise<SchemaThing[]> {
    const { post, locked } = page
    const current = settings()
    const shown = page.kind === 'home' || locked ? undefined : post
    const type = shown && articleTypeOf(shown, described, current)
    const writer = page.author || type !== undefined ? await authorOf(host, page) : undefined
    const author = writer && authorThing(host, writer)
    // The image must represent the content; the default social image does not.
    const isOwn = described.openGraph.image.url !== site.url + IMAGE_PATH
    const image = shown && isOwn ? imageThing(described.openGraph.image, `${page.url}#primaryimage`) : undefined
    const breadcrumb = breadcrumbThing(
      page,
      await trailOf(host, { page, head: described, home: current.breadcrumbsHome }),
    )
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
        ? [articleThing(host, page, { post: shown, type, head: described, author, image: image?.['@id'] })]
        : []),
      ...(product ? [product] : []),
    ]
  }

  hooks.addAction('wp_head', (output, page) => {
    const described = head.of(page)
    if (described && page.status === 200 && !page.preview && settings().schema === 'on')
      return print(output, page, described)
  })

  async function print(output: PageOutput, page: PageContext, described: PageHead): Promise<void> {
    const limited = hooks.limited({ signal: page.signal })
    const sold = await limited.applyFiltersAsync('seo_schema_product', null, page)
    const product = sold && productThing(page, sold)
    if (sold && !product)
      log.warn({ path: page.path, product: sold }, 'product without name, price, or currency ignored')
    const { graph, json } = await graphs(page, {
      key: product ? undefined : described,
      inputs: [settings()],
      async make(recorded) {
        const graph = await graphOf(recorded, { described, product })
        return { graph, json: toJson(graph) }
      },
    })
    // A copy, since other pages share the graph.
    const given = hooks.hasFilter('seo_schema_graph') ? structuredClone(graph) : graph
    const filtered = await limited.applyFiltersAsync('seo_schema_graph', given, page)
    output.print(
      `<script type="application/ld+json">${(filtered === graph ? json : toJson(filtered)) ?? json}</script>\n`,
    )
  }

  const isThing = (one: unknown) => typeof one === 'object' && one !== null

  /** Escaped, so that no value can close the script element. */
  function toJson(graph: readonly SchemaThing[]): string | undefined {
    try {
      if (!Array.isArray(graph) || !graph.every(isThing)) throw new TypeError('The graph is not an array of objects.')
      return JSON.stringify({ '@context': 'https://schema.org', '@graph': graph }).replaceAll('<', '\\u003c')
    } catch (error) {
      log.error({ err: error }, 'invalid result of filter seo_schema_graph ignored')
      return undefined
    }
  }
}
