import type { Hooks } from '../../../core/hooks/types.ts'
import { escapeHtml } from '../../../core/http/escape-html.ts'
import { MORE } from '../../content/render/excerpt.ts'
import { pagesOfContent } from '../../content/render/post-pages.ts'
import { createMemory } from '../../content/render/remember.ts'
import type { Content, Post, Term } from '../../content/types.ts'
import { plainText } from '../../text/plain-text.ts'
import { readingTime } from '../../text/reading-time.ts'
import { attachmentTags } from '../page/tags.ts'
import { withoutOrigin } from '../text.ts'
import { formatDate } from '../theme/date-format.ts'
import type { SiteTexts } from '../theme/texts.ts'
import type { PageContext } from '../types.ts'
import { postClasses } from './classes.ts'
import { createHighlight } from './highlight.ts'
import { type TemplateImage, toImage, toPortrait } from './image.ts'
import type { RelatedData } from './related-data.ts'

export interface TemplateName {
  readonly name: string
  readonly url: string
}

/** The author of a post. */
export interface TemplatePostAuthor extends TemplateName {
  readonly picture: TemplateImage | undefined
}

/** A post for templates. `…Html` is HTML, to be printed with `<%~ %>`; everything else is text. */
export interface TemplatePost {
  readonly id: number
  readonly type: string
  readonly titleHtml: string
  /** Plain-text title, for attributes. */
  readonly title: string
  readonly url: string
  /** In the date format of the site. */
  readonly date: string
  /** For `<time datetime>`. */
  readonly datetime: string
  readonly author: TemplatePostAuthor | undefined
  readonly categories: readonly TemplateName[]
  readonly tags: readonly TemplateName[]
  /** Terms of every public taxonomy by name: `it.post.terms.genre`. */
  readonly terms: Readonly<Record<string, readonly TemplateName[]>>
  readonly image: TemplateImage | undefined
  /** On the post's own page, only an excerpt that the author wrote; empty while the post is locked. */
  readonly excerptHtml: string
  /** On the post's own page; empty while it is locked. */
  readonly contentHtml: string
  /** Reading time in minutes, on the post's own page and in a featured post; otherwise, and without words, 0. */
  readonly readingTime: number
  /** Value of the `class` attribute. */
  readonly classes: string
  readonly sticky: boolean
  /** The post requires a password that the visitor has not entered. */
  readonly locked: boolean
  readonly commentCount: number
}

/** Sizes of featured images, best first, with their `sizes` attribute. */
const SIZES = ['medium_large', 'large', 'full']
const IN_LIST = { names: SIZES, sizes: '(max-width: 40rem) 100vw, 18rem' }
const IN_CARDS = { names: SIZES, sizes: '(max-width: 40rem) 100vw, 24rem' }
/** Over the full width: on the post's own page, and the featured post of a list. */
const WIDE = { names: ['large', 'full'], sizes: '(max-width: 77rem) 100vw, 73rem' }

/** How a page shows a post. */
export interface ShownPost {
  readonly locked: boolean
  /** Whether it is the page of the post. */
  readonly whole: boolean
  /** Layout of the list. */
  readonly layout: 'list' | 'cards' | 'magazine'
  /** Whether it is the first post of the list. */
  readonly isFirst: boolean
}

/** Prepares posts for templates. */
export interface PostView {
  /** Runs the `the_title`, `the_content` and `the_excerpt` filters. @param contentHtml Default: `contentOf` the post. */
  view(
    post: Post,
    around: RelatedData,
    page: PageContext,
    shown: ShownPost & { readonly contentHtml?: string },
  ): Promise<TemplatePost>
  /** The content of the current page of the post, with its cache tags; empty in lists and while the post is locked. */
  contentOf(post: Post, page: PageContext, shown: ShownPost): Promise<string>
}

export function createPostView({
  content,
  hooks,
  origin,
  texts,
}: {
  content: Content
  hooks: Hooks
  origin: string
  /** Those of the theme. */
  texts: SiteTexts
}): PostView {
  const highlights = new WeakMap<PageContext, (html: string) => string>()
  /** Highlighted texts by search and text. */
  const highlighted = createMemory<string>((html) => html.length)
  const tagged = new WeakMap<Post, { readonly html: string; readonly tags: readonly string[] }>()
  const minutes = new WeakMap<Post, number>()
  const nameOf = (term: Term): TemplateName => ({
    name: plainText(term.name),
    url: withoutOrigin(content.link(term), origin),
  })

  /** Highlights the search terms on a page of search results. */
  function highlightOf(page: PageContext): (html: string) => string {
    if (page.kind !== 'search' || !page.search) return (html) => html
    const known = highlights.get(page)
    if (known) return known
    const { search } = page
    const make = createHighlight(search)
    const highlight = (html: string) => {
      const key = `${search.length} ${search}${html}`
      const marked = highlighted.get(key) ?? make(html)
      highlighted.set(key, marked)
      return marked
    }
    highlights.set(page, highlight)
    return highlight
  }

  /** Searched once for the text that a post usually has. */
  function tagsOfAttachments(post: Post, html: string): readonly string[] {
    const found = tagged.get(post)
    if (found?.html === html) return found.tags
    const tags = attachmentTags(post.content, html)
    tagged.set(post, { html, tags })
    return tags
  }

  /** Of the whole post as stored, so that it is the same on each of its pages and in lists. */
  function minutesOf(post: Post): number {
    const known = minutes.get(post) ?? readingTime(post.content)
    minutes.set(post, known)
    return known
  }

  /** Content of the current page of a paginated post, with page links. */
  async function pageOf(post: Post, page: PageContext): Promise<string> {
    // Later pages of the front page have no URL.
    const pages = page.kind === 'front-page' ? [post.content] : pagesOfContent(post.content)
    const part = pages.length > 1 ? (pages[page.pageNumber - 1] ?? '') : post.content
    // Marks where the excerpt in lists ends; links point here.
    const marked = part.replace(MORE, () => `<span id="more-${post.id}"></span>`)
    const html = await content.renderContent(marked === post.content ? post : { ...post, content: marked })
    return pages.length > 1 ? html + (await pageLinks(post, pages.length, page.pageNumber)) : html
  }

  /** WordPress's `wp_link_pages`. */
  async function pageLinks(post: Post, pages: number, current: number): Promise<string> {
    const { __ } = await texts()
    const path = withoutOrigin(content.link(post), origin)
    const links = Array.from({ length: pages }, (_, at) => {
      if (at + 1 === current) return `<span class="post-page-numbers current" aria-current="page">${current}</span>`
      const url = escapeHtml(at === 0 ? path : `${path.replace(/\/?$/, '/')}${at + 1}/`)
      return `<a href="${url}" class="post-page-numbers">${at + 1}</a>`
    })
    return `<p class="post-nav-links">${escapeHtml(__('Pages:'))} ${links.join(' ')}</p>\n`
  }

  async function contentOf(post: Post, page: PageContext, { locked, whole }: ShownPost): Promise<string> {
    const html = whole && !locked ? await pageOf(post, page) : ''
    page.addTags(...tagsOfAttachments(post, html))
    return html
  }

  const view: PostView['view'] = async (post, around, page, shown) => {
    const { locked, whole, layout, isFirst } = shown
    const settings = content.siteSettings()
    const title = content.renderTitle(post)
    const highlight = highlightOf(page)
    const isFeatured = layout === 'magazine' && isFirst
    const inList = layout === 'list' ? IN_LIST : isFeatured ? WIDE : IN_CARDS
    const place = whole ? WIDE : inList
    const image = around.image && !locked ? toImage(around.image, place.names, place.sizes) : undefined
    const sticky = post.sticky && page.kind === 'home' && page.pageNumber === 1
    const contentHtml = shown.contentHtml ?? (await contentOf(post, page, shown))
    const classes = postClasses(post, around.terms, { locked, image: image !== undefined, first: sticky })
    return {
      id: post.id,
      type: post.type,
      titleHtml: highlight(title),
      title: plainText(title),
      url: withoutOrigin(content.link(post), origin),
      date: formatDate(post.date, settings.dateFormat, settings),
      datetime: `${post.dateGmt}Z`,
      author: around.author && {
        name: around.author.displayName,
        url: content.permalinks().author(around.author.slug),
        picture: around.picture && toPortrait(around.picture),
      },
      categories: (around.terms.category ?? []).map(nameOf),
      tags: (around.terms.post_tag ?? []).map(nameOf),
      terms: Object.fromEntries(Object.entries(around.terms).map(([taxonomy, terms]) => [taxonomy, terms.map(nameOf)])),
      image,
      excerptHtml: locked || (whole && post.excerpt.trim() === '') ? '' : highlight(await content.renderExcerpt(post)),
      contentHtml,
      readingTime: locked || !(whole || isFeatured) ? 0 : minutesOf(post),
      classes: hooks.applyFilters('post_class', classes, post).join(' '),
      sticky,
      locked,
      commentCount: locked ? 0 : post.commentCount,
    }
  }

  return { view, contentOf }
}
