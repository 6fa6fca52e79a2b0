import type { Discussion } from '../../content/discussion/types.ts'
import { descriptionHtml } from '../../content/render/comment.ts'
import type { Content, Post } from '../../content/types.ts'
import { plainText } from '../../text/plain-text.ts'
import { createCommentsView, type TemplateCommentForm } from '../comments/view.ts'
import { inLoop } from '../current-page.ts'
import { direction, toLanguage } from '../language.ts'
import { wasPasswordRefused } from '../post-password.ts'
import { withoutOrigin } from '../text.ts'
import { formatDate } from '../theme/date-format.ts'
import type { Theme } from '../theme/theme.ts'
import type { PageContext } from '../types.ts'
import { type TemplateComment, toThreads } from './comments.ts'
import { type TemplateImage, toImage } from './image.ts'
import type { FindMenu, TemplateLink } from './menu.ts'
import type { PageDataCache } from './page-data-cache.ts'
import { type TemplatePagination, toPagination } from './pagination.ts'
import type { TemplatePost, ViewPost } from './post.ts'
import type { FindRelatedData } from './related-data.ts'

/** The file of an attachment page. */
export interface TemplateFile {
  readonly url: string
  readonly name: string
  /** What its author wrote below it. */
  readonly captionHtml: string
  readonly image: TemplateImage | undefined
}

/** A way to another post. */
export interface TemplateLinkHtml {
  readonly titleHtml: string
  readonly url: string
}

/** All that a template of a theme gets, as `it`. `…Html` is HTML and printed with `<%~ %>`; all else is text. */
export interface TemplateData {
  readonly site: {
    readonly title: string
    readonly description: string
    readonly language: string
    readonly direction: string
  }
  readonly page: PageContext
  readonly heading: string
  readonly descriptionHtml: string
  /** The posts of a list; of a single page the one. */
  readonly posts: readonly TemplatePost[]
  readonly post: TemplatePost | undefined
  readonly comments: readonly TemplateComment[]
  /** `undefined` where the visitor can't comment. */
  readonly commentForm: TemplateCommentForm | undefined
  /** Where to sign in, if only users may comment. */
  readonly commentLoginUrl: string | undefined
  /** There are comments, but no more can be added. */
  readonly commentsClosed: boolean
  /** The post is locked, and the password that was just given is not the one. */
  readonly passwordRefused: boolean
  readonly file: TemplateFile | undefined
  /** Neighbours of a post by date. */
  readonly previous: TemplateLinkHtml | undefined
  readonly next: TemplateLinkHtml | undefined
  /** Pages below the one shown. */
  readonly children: readonly TemplateLink[]
  readonly parent: TemplateLinkHtml | undefined
  /** The site's navigation: the menu at the place `primary`, or its top pages where there is none. */
  readonly menu: readonly TemplateLink[]
  /** Menus by the theme's places for them; without those where no menu is. */
  readonly menus: Readonly<Record<string, readonly TemplateLink[]>>
  readonly pagination: TemplatePagination | undefined
  /** URL of a file of the theme that changes with its content. */
  asset(file: string): string
}

/** Gathers what the templates need for a page, in as few steps one after another as it goes. */
export function createPageView(parts: {
  content: Content
  discussion: Discussion
  pageData: PageDataCache
  menu: FindMenu
  relatedData: FindRelatedData
  viewPost: ViewPost
  /** The site's address, without a slash at the end. */
  origin: string
}) {
  const { content, discussion, pageData, menu, relatedData, viewPost, origin } = parts

  const beside = pageData.remember(async (id) => {
    const post = await content.posts.get(Number(id))
    return post ? content.posts.neighbours(post) : undefined
  })

  /** The posts before and after one, as far as the user may read them: what is remembered is the same for all. */
  async function neighbours(post: Post, { user }: PageContext) {
    const found = await beside(String(post.id))
    const both = [found?.previous, found?.next].filter((one) => one !== undefined)
    const isOpen = (await content.readable(both, user)).length === both.length
    return isOpen ? found : content.posts.neighbours(post, user)
  }

  const viewComments = createCommentsView({
    content,
    discussion,
    approved: pageData.remember((id) => content.comments.ofPost(Number(id))),
  })

  const details = pageData.remember(async (id) => {
    const post = await content.posts.get(Number(id))
    return post && (await content.media.details([post])).get(post.id)
  })

  async function fileOf(post: Post): Promise<TemplateFile | undefined> {
    const file = await details(String(post.id))
    if (!file) return undefined
    const isImage = post.mimeType.startsWith('image/')
    return {
      url: file.url,
      name: file.file.split('/').at(-1) ?? '',
      captionHtml: post.excerpt.trim() === '' ? '' : await content.renderExcerpt(post),
      image: isImage ? toImage(file, ['large', 'full'], '(max-width: 60rem) 100vw, 56rem') : undefined,
    }
  }

  const parents = pageData.remember(async (id) => {
    const parent = await content.posts.get(Number(id))
    return parent?.status === 'publish' && parent.path !== '' ? parent : undefined
  })

  async function parentOf({ parentId }: Post, { user }: PageContext): Promise<Post | undefined> {
    const parent = await parents(String(parentId))
    return parent && (await content.canRead(parent, user)) ? parent : undefined
  }

  function nameOf(post: Post | undefined, page: PageContext): TemplateLinkHtml | undefined {
    if (!post) return undefined
    page.addTags(`post-${post.id}`)
    return { titleHtml: content.renderTitle(post), url: withoutOrigin(content.link(post), origin) }
  }

  async function aroundPost(page: PageContext) {
    const { post, kind } = page
    if (!post || kind === 'home') return {}
    const [about, file, around, children, parent] = await Promise.all([
      viewComments(page, post),
      kind === 'attachment' ? fileOf(post) : undefined,
      kind === 'single' && post.type === 'post' ? neighbours(post, page) : undefined,
      kind === 'page' ? menu.pages(post.id, page) : [],
      post.parentId > 0 && kind !== 'single' ? parentOf(post, page) : undefined,
    ])
    const settings = content.siteSettings()
    const { threadComments, threadCommentsDepth } = discussion.settings()
    const write = (date: string) => formatDate(date, settings.dateFormat, settings)
    return {
      previous: nameOf(around?.previous, page),
      next: nameOf(around?.next, page),
      comments: toThreads(about.comments, post.authorId, write, {
        depth: threadComments === 'on' ? threadCommentsDepth : 1,
        render: content.renderComment,
        replyUrl: about.replyUrl,
      }),
      commentForm: about.form,
      commentLoginUrl: about.loginUrl,
      commentsClosed: about.closed,
      file,
      children,
      parent: nameOf(parent, page),
    }
  }

  return async (page: PageContext, theme: Theme): Promise<TemplateData> => {
    const settings = content.siteSettings()
    const language = toLanguage(settings.language)
    const whole = page.post !== undefined && page.kind !== 'home'
    const [around, entries, own] = await Promise.all([
      relatedData(page.posts.map((post) => post.id)),
      menu.all(page),
      aroundPost(page),
    ])
    // One after another, so that the filters of one post do not run amid those of another.
    const posts: TemplatePost[] = []
    for (const post of page.posts) {
      // A list shows the same to all, so that it does not depend on who gave which password.
      const locked = whole ? page.locked : post.password !== ''
      page.addTags(...around(post.id).pageTags)
      posts.push(await inLoop(post, () => viewPost(post, around(post.id), page, { locked, whole })))
    }
    return {
      site: {
        title: plainText(content.texturize(settings.title)),
        description: plainText(content.texturize(settings.description)),
        language,
        direction: direction(language),
      },
      page,
      heading: page.title,
      descriptionHtml: content.texturize(
        descriptionHtml(content.currentAddresses(page.term?.description ?? page.author?.description ?? '')),
      ),
      posts,
      post: whole ? posts[0] : undefined,
      comments: [],
      commentForm: undefined,
      commentLoginUrl: undefined,
      commentsClosed: false,
      passwordRefused: wasPasswordRefused(page),
      file: undefined,
      previous: undefined,
      next: undefined,
      children: [],
      parent: undefined,
      ...own,
      ...entries,
      pagination: whole ? undefined : toPagination(page),
      asset: theme.asset,
    }
  }
}

export type ViewPage = ReturnType<typeof createPageView>
