import { type ExtensionHost, type PageContext, type Post, plainText, type Term } from 'pentad'
import type { SeoFields } from '../fields.ts'
import { categoriesOf } from '../head/categories.ts'

/** One step on the way from the home page to a page. */
export interface Step {
  /** Plain text, never empty. */
  readonly name: string
  /** Absolute. */
  readonly url: string
}

/** Deeper than any real hierarchy: what ends a circle of parents. */
const DEPTH = 20

type Host = Pick<ExtensionHost, 'content' | 'site'>

/**
 * The way from the home page to a page, both included: over the pages above it, or its category and those above that, or
 * the archive of its type. Empty at home and for what is not found.
 *
 * @param home what the home page is called
 */
export async function trailOf(
  host: Host,
  { page, fields, home }: { page: PageContext; fields: Pick<SeoFields, 'primaryCategory'>; home: string },
): Promise<Step[]> {
  const isHome = page.kind === 'front-page' || (page.kind === 'home' && !page.post)
  if (isHome || page.status !== 200) return []
  const last = { name: page.title || page.path, url: page.url }
  return [{ name: home, url: `${host.site.url}/` }, ...(await between(host, page, fields)), last]
}

async function between(host: Host, page: PageContext, fields: Pick<SeoFields, 'primaryCategory'>): Promise<Step[]> {
  const { content, site } = host
  if (page.term) return termSteps(host, page, await content.terms.get(page.term.parentId))
  if (page.date) return dateSteps(page, site.url)
  if (!page.post || page.kind === 'home') return []
  if (page.post.parentId > 0) return postSteps(host, page, await content.posts.get(page.post.parentId))
  const type = content.postTypes().get(page.post.type)
  if (type?.hasArchive) return [{ name: type.label, url: `${site.url}/${type.name}/` }]
  if (page.post.type !== 'post') return []
  const [category] = await categoriesOf(host, { post: page.post, fields })
  return [...(await listOfPosts(host, page)), ...(await termSteps(host, page, category))]
}

/** The page that shows all posts, where that is not the home page. */
async function listOfPosts(host: Host, page: PageContext): Promise<Step[]> {
  const { showOnFront, pageForPosts } = host.content.siteSettings()
  const list = showOnFront === 'page' ? await host.content.posts.get(pageForPosts) : undefined
  return list ? postSteps(host, page, list) : []
}

/** A term and all above it, the topmost first. */
async function termSteps({ content }: Host, page: PageContext, term: Term | undefined): Promise<Step[]> {
  const steps: Step[] = []
  for (let next = term; next && steps.length < DEPTH; next = await content.terms.get(next.parentId)) {
    page.addTags(`term-${next.id}`)
    steps.unshift({ name: plainText(next.name) || next.slug, url: content.link(next) })
  }
  return steps
}

/** A page and all above it that everybody can read, the topmost first. */
async function postSteps({ content }: Host, page: PageContext, post: Post | undefined): Promise<Step[]> {
  const steps: Step[] = []
  for (let next = post; next && steps.length < DEPTH; next = await content.posts.get(next.parentId)) {
    page.addTags(`post-${next.id}`)
    const isPublic = next.status === 'publish' && content.postTypes().get(next.type)?.public === true
    const name = plainText(content.renderTitle(next)) || next.slug
    if (isPublic) steps.unshift({ name, url: content.link(next) })
  }
  return steps
}

/** The year of a month, the year and month of a day. */
function dateSteps({ date, path, title }: PageContext, origin: string): Step[] {
  const parts = path.split('/').filter((part) => /^\d+$/.test(part))
  const [year = '', month = ''] = parts
  const steps = date?.month === undefined ? [] : [{ name: year, url: `${origin}/${year}/` }]
  if (date?.day === undefined || title === '') return steps
  return [...steps, { name: `${year}-${month}`, url: `${origin}/${year}/${month}/` }]
}
