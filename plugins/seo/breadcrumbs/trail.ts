import {
  type ArchiveDate,
  type ExtensionHost,
  type PageContext,
  type Post,
  plainText,
  type Term,
  toLanguage,
} from 'pentad'
import type { PageHead } from '../head/page-head.ts'
import { isHome } from '../head/subject.ts'

/** One item of the breadcrumb trail. */
export interface Step {
  /** Plain text, never empty. */
  readonly name: string
  /** Absolute URL. */
  readonly url: string
}

/** Maximum depth, which ends a loop of parents. */
const DEPTH = 20

type Host = Pick<ExtensionHost, 'content' | 'site'>

/**
 * The breadcrumb trail of a page, from the home page to the page itself, through its parent pages, its category with
 * its parents, or the archive of its post type. Empty on the home page and on 404 pages.
 * @param home label of the home page
 */
export async function trailOf(
  host: Host,
  { page, head, home }: { page: PageContext; head: Pick<PageHead, 'terms'>; home: string },
): Promise<Step[]> {
  if (isHome(page) || page.status !== 200) return []
  const last = { name: page.title || page.path, url: page.url }
  return [{ name: home, url: `${host.site.url}/` }, ...(await between(host, page, head)), last]
}

async function between(host: Host, page: PageContext, { terms }: Pick<PageHead, 'terms'>): Promise<Step[]> {
  const { content, site } = host
  if (page.term) return termSteps(host, page, await above(content.terms, page.term))
  if (page.date) return dateSteps(host, page.date)
  if (!page.post || page.kind === 'home') return []
  if (page.post.type === 'post') {
    const category = terms.category?.[0]
    return [...(await listOfPosts(host, page)), ...(await termSteps(host, page, category))]
  }
  const type = content.postTypes().get(page.post.type)
  const archive = type?.hasArchive ? [{ name: type.label, url: `${site.url}/${type.name}/` }] : []
  return [...archive, ...(await postSteps(host, page, await above(content.posts, page.post)))]
}

/** The parent of a page or term; most have none, which needs no query. */
async function above<Thing>(
  things: { get(id: number): Promise<Thing | undefined> },
  { parentId }: { readonly parentId: number },
): Promise<Thing | undefined> {
  return parentId > 0 ? things.get(parentId) : undefined
}

/** The posts page, if it is not the home page. */
async function listOfPosts(host: Host, page: PageContext): Promise<Step[]> {
  const { showOnFront, pageForPosts } = host.content.siteSettings()
  const list = showOnFront === 'page' ? await host.content.posts.get(pageForPosts) : undefined
  return list ? postSteps(host, page, list) : []
}

/** A term and its ancestors, topmost first. */
async function termSteps({ content }: Host, page: PageContext, term: Term | undefined): Promise<Step[]> {
  const steps: Step[] = []
  for (let next = term; next && steps.length < DEPTH; next = await above(content.terms, next)) {
    page.addTags(`term-${next.id}`)
    steps.unshift({ name: plainText(next.name) || next.slug, url: content.link(next) })
  }
  return steps
}

/** A page and those of its ancestors that are public and readable by the visitor, topmost first. */
async function postSteps({ content }: Host, page: PageContext, post: Post | undefined): Promise<Step[]> {
  const steps: Step[] = []
  for (let next = post; next && steps.length < DEPTH; next = await above(content.posts, next)) {
    page.addTags(`post-${next.id}`)
    const isPublic = next.status === 'publish' && content.postTypes().get(next.type)?.public === true
    const name = plainText(content.renderTitle(next)) || next.slug
    if (isPublic && (await content.canRead(next, page.user))) steps.unshift({ name, url: content.link(next) })
  }
  return steps
}

/** The year of a month archive; the year and month of a day archive. */
function dateSteps({ content, site }: Host, { year, month, day }: ArchiveDate): Step[] {
  if (month === undefined) return []
  const ofYear = { name: String(year), url: site.url + content.permalinks().date({ year }) }
  if (day === undefined) return [ofYear]
  const language = toLanguage(content.siteSettings().language)
  const format = new Intl.DateTimeFormat(language, { timeZone: 'UTC', year: 'numeric', month: 'long' })
  const name = format.format(Date.UTC(year, month - 1))
  return [ofYear, { name, url: site.url + content.permalinks().date({ year, month }) }]
}
