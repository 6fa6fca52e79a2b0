import { type ExtensionHost, type PageContext, type Post, plainText, toLanguage } from 'pentad'
import type { SeoFields } from '../fields.ts'
import { authorOf } from './author.ts'
import { excerptOf } from './excerpt.ts'
import type { Terms } from './terms.ts'

/** The parts of a page that its variables use. */
export type Described = Pick<
  PageContext,
  | 'kind'
  | 'title'
  | 'status'
  | 'post'
  | 'posts'
  | 'term'
  | 'postType'
  | 'author'
  | 'date'
  | 'search'
  | 'pageNumber'
  | 'pageLabel'
  | 'totalPages'
  | 'locked'
  | 'addTags'
>

/** Data for the variables of a page. */
export interface Source {
  readonly host: Pick<ExtensionHost, 'content' | 'auth' | 'pageData'>
  readonly page: Described
  readonly fields: SeoFields
  /** Terms of the post. */
  readonly terms: Terms
}

interface Variable {
  readonly description: string
  /** Plain text; empty if the page has no such value. */
  value(source: Source): string | Promise<string>
}

const variable = (description: string, value: Variable['value']): Variable => ({ description, value })

/** Variables available in titles and descriptions: `%title%`. `%sep%` is handled by the template itself. */
export const VARIABLES: Readonly<Record<string, Variable>> = {
  title: variable(
    'Title of the post; name of the category, tag, or author; date of the archive',
    ({ page }) => page.title,
  ),
  sitename: variable('Title of the site', ({ host }) => plainText(host.content.siteSettings().title)),
  tagline: variable('Tagline of the site', ({ host }) => plainText(host.content.siteSettings().description)),
  page: variable('“Page 2” on the second page of an archive', ({ page }) => page.pageLabel),
  pagenumber: variable('Page number of an archive', ({ page }) => String(page.pageNumber)),
  pagetotal: variable('Total number of pages of an archive', ({ page }) => String(Math.max(1, page.totalPages))),
  excerpt: variable('Excerpt of the post, or the start of its content', ({ host, page }) => {
    return page.post === undefined || page.locked ? '' : excerptOf(host, page.post)
  }),
  category: variable(
    'Primary category of the post, or its first category',
    (source) => namesOf(source, 'category')[0] ?? '',
  ),
  categories: variable('All categories of the post', (source) => namesOf(source, 'category').join(', ')),
  tags: variable('All tags of the post', (source) => namesOf(source, 'post_tag').join(', ')),
  author: variable('Display name of the author', async ({ host, page }) => {
    return (await authorOf(host, page))?.displayName ?? ''
  }),
  author_description: variable('Biographical info of the author', async ({ host, page }) => {
    return plainText((await authorOf(host, page))?.description ?? '')
  }),
  term_title: variable('Name of the category, tag, or other term', ({ page }) => plainText(page.term?.name ?? '')),
  term_description: variable('Description of the category, tag, or other term', ({ page }) => {
    return plainText(page.term?.description ?? '')
  }),
  parent_title: variable('Title of the parent page', async ({ host, page }) => {
    const parent = page.post?.parentId ? await host.content.posts.get(page.post.parentId) : undefined
    if (parent?.status !== 'publish' || !(await host.content.canRead(parent, null))) return ''
    page.addTags(`post-${parent.id}`)
    return plainText(host.content.renderTitle(parent))
  }),
  // Yoast and Rank Math title date archives like this by default.
  date: variable('Publication date of the post, or the date of a date archive', ({ host, page }) => {
    return page.date ? page.title : dateOf(host, page.post?.date)
  }),
  modified: variable('Date when the post was last modified', ({ host, page }) => dateOf(host, page.post?.modified)),
  currentdate: variable('Current date', (source) => now(source, { dateStyle: 'long' })),
  currentmonth: variable('Current month', (source) => now(source, { month: 'long' })),
  currentyear: variable('Current year', (source) => now(source, { year: 'numeric' })),
  searchphrase: variable('Search phrase', ({ page }) => page.search ?? ''),
  type: variable(
    'Singular label of the post type, such as “Post”',
    ({ host, page }) => typeOf(host, page)?.singularLabel ?? '',
  ),
  types: variable(
    'Plural label of the post type, such as “Posts”',
    ({ host, page }) => typeOf(host, page)?.label ?? '',
  ),
  keyword: variable('Focus keyword of the post', ({ fields }) => fields.focusKeyword),
}

function namesOf({ page, terms }: Source, taxonomy: string): string[] {
  const ofTaxonomy = terms[taxonomy] ?? []
  page.addTags(...ofTaxonomy.map(({ id }) => `term-${id}`))
  return ofTaxonomy.map(({ name }) => plainText(name))
}

function typeOf({ content }: Source['host'], { post, postType }: Described) {
  return post ? content.postTypes().get(post.type) : postType
}

/** @param time local time of the site, as in posts */
function dateOf({ content }: Source['host'], time: Post['date'] | undefined): string {
  const at = Date.parse(`${time}Z`)
  if (Number.isNaN(at)) return ''
  return new Intl.DateTimeFormat(languageOf(content), { dateStyle: 'long', timeZone: 'UTC' }).format(at)
}

function now({ host: { content } }: Source, format: Intl.DateTimeFormatOptions): string {
  const timeZone = content.siteSettings().timezone || 'UTC'
  return new Intl.DateTimeFormat(languageOf(content), { ...format, timeZone }).format(Date.now())
}

const languageOf = (content: Source['host']['content']) => toLanguage(content.siteSettings().language)
