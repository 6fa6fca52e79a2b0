import { type ExtensionHost, type PageContext, type Post, plainText } from 'pentad'
import { readFields } from '../fields.ts'
import { excerptOf } from '../head/excerpt.ts'
import { siteName } from '../head/site-name.ts'
import './hooks.ts'
import type { Indexable } from '../indexable.ts'
import type { SeoSettings } from '../settings.ts'
import { type ListedPage, type Section, writeLlmsTxt } from './markdown.ts'

const PATH = '/llms.txt'
/** Maximum number of pages per section, and of posts considered: assistants read the whole file. */
const MOST_PAGES = 50
const LOOKED_AT = 100

/** Serves `/llms.txt`: the most important indexable pages for AI assistants. */
export function registerLlmsTxt(
  host: ExtensionHost,
  { settings, indexable }: { settings: () => SeoSettings; indexable: Indexable },
): void {
  const { content, hooks, log } = host

  async function sectionOf(type: string): Promise<Section> {
    const isHierarchical = content.postTypes().get(type)?.hierarchical === true
    const { items } = await content.posts.query({
      types: [type],
      ...{ hasPassword: false, readableBy: null, noFoundRows: true },
      orderBy: isHierarchical ? 'menu_order' : 'date',
      order: isHierarchical ? 'asc' : 'desc',
      limit: LOOKED_AT,
    })
    const listed = (await indexable.posts(items)).slice(0, MOST_PAGES)
    return { heading: content.postTypes().get(type)?.label ?? type, pages: await describe(listed) }
  }

  async function describe(posts: readonly Post[]): Promise<ListedPage[]> {
    const meta = await content.meta.of(
      'post',
      posts.map(({ id }) => id),
    )
    const pages: ListedPage[] = []
    for (const post of posts) {
      const { description } = readFields(meta.get(post.id))
      // Variables belong to a page that is being shown.
      const isPlain = description !== '' && !description.includes('%')
      pages.push({
        title: plainText(content.renderTitle(post)),
        url: content.link(post),
        description: isPlain ? description : await excerptOf(host, post),
      })
    }
    return pages
  }

  /** The section `Optional` tells readers with little room what to skip. */
  async function optional(): Promise<Section> {
    const { items } = await content.terms.query({
      taxonomy: 'category',
      hideEmpty: true,
      orderBy: 'count',
      order: 'desc',
      limit: MOST_PAGES,
    })
    const pages = (await indexable.terms(items)).map((term) => ({
      title: plainText(term.name),
      url: content.link(term),
      description: plainText(term.description),
    }))
    return { heading: 'Optional', pages }
  }

  /** Pages first, then posts, then custom post types. */
  function postTypes(): string[] {
    const names = [...content.postTypes().values()].filter((type) => type.public && type.name !== 'attachment')
    const others = names.map(({ name }) => name).filter((name) => name !== 'page' && name !== 'post')
    return ['page', 'post', ...others].filter((name) => !settings().noindexTypes.includes(name))
  }

  async function write(page: PageContext): Promise<{ text: string; tags: string[] }> {
    const types = postTypes()
    const sections: Section[] = []
    for (const type of types) sections.push(await sectionOf(type))
    sections.push(await optional())
    const summary = plainText(content.siteSettings().description)
    const text = writeLlmsTxt({ title: siteName(host), summary, sections })
    const filtered: unknown = await hooks.limited({ signal: page.signal }).applyFiltersAsync('seo_llms_txt', text)
    if (typeof filtered !== 'string') log.error('invalid result of filter seo_llms_txt ignored')
    return {
      text: typeof filtered === 'string' ? filtered : text,
      tags: [...types.map((type) => `sitemap-posts-${type}`), 'sitemap-taxonomies-category'],
    }
  }

  hooks.addAction('template_redirect', (page) => {
    const isFile = page.request.path === PATH && !page.responded && page.status === 404
    if (isFile && settings().llmsTxt === 'on') return respond(page)
  })

  async function respond(page: PageContext): Promise<void> {
    const { text, tags } = await write(page)
    const headers = {
      'Content-Type': 'text/markdown; charset=UTF-8',
      // For assistants; search results should show the pages instead.
      'X-Robots-Tag': 'noindex, follow',
      'Cache-Control': 'public, max-age=0, must-revalidate',
    }
    page.respond({ headers, body: text, tags })
  }
}
