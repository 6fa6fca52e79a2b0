import type { Hooks } from '../../../core/hooks/types.ts'
import { escapeHtml } from '../../../core/http/escape-html.ts'
import type { Discussion } from '../../content/discussion/types.ts'
import { registeredAuthors } from '../../content/profile-pictures.ts'
import { descriptionHtml } from '../../content/render/comment.ts'
import type { Content, Post } from '../../content/types.ts'
import { direction, toLanguage } from '../../text/language.ts'
import { plainText } from '../../text/plain-text.ts'
import type { Look } from '../appearance/index.ts'
import type { AppearanceSettings } from '../appearance/settings.ts'
import { printStyles } from '../appearance/styles.ts'
import { createCommentsView, type TemplateCommentForm } from '../comments/view.ts'
import { inLoop } from '../current-page.ts'
import { wasPasswordRejected } from '../post-password.ts'
import { formatDate } from '../theme/date-format.ts'
import type { ThemeTexts } from '../theme/texts.ts'
import type { Theme } from '../theme/theme.ts'
import type { PageContext } from '../types.ts'
import { createAncestors } from './ancestors.ts'
import { createAroundPost, type TemplateAuthor, type TemplateCard, type TemplateCrumb } from './around-post.ts'
import { type TemplateComment, toThreads } from './comments.ts'
import { type TemplateImage, toImage } from './image.ts'
import type { ViewPost } from './listed-posts.ts'
import type { FindMenu, TemplateLink } from './menu.ts'
import type { PageDataCache } from './page-data-cache.ts'
import { type TemplatePagination, toPagination } from './pagination.ts'
import type { FindPortraits } from './portraits.ts'
import type { TemplatePost } from './post.ts'
import type { PostNames } from './post-names.ts'
import type { FindRelatedData } from './related-data.ts'
import { renderSidebar } from './sidebar.ts'
import type { SiteImages } from './site-images.ts'

/** The file of an attachment page. */
export interface TemplateFile {
  readonly url: string
  readonly name: string
  /** Caption of the file. */
  readonly captionHtml: string
  readonly image: TemplateImage | undefined
}

/** A link to another post. */
export interface TemplateLinkHtml {
  readonly titleHtml: string
  readonly url: string
}

/** The data of templates, as `it`. `…Html` is HTML, to be printed with `<%~ %>`; everything else is text. */
export interface TemplateData extends ThemeTexts {
  readonly site: {
    readonly title: string
    readonly description: string
    readonly language: string
    readonly direction: string
    /** The logo in the settings. */
    readonly logo: TemplateImage | undefined
    /** Replaces the logo in dark mode. */
    readonly darkLogo: TemplateImage | undefined
    /** URL of the site icon in the settings; empty if there is none. */
    readonly iconUrl: string
    /** The privacy policy, if its page is published. */
    readonly privacyPolicy: TemplateLinkHtml | undefined
  }
  /** The owner's choices: layouts, elements, texts. */
  readonly appearance: AppearanceSettings
  /** Fonts and colors of the theme with the owner's choices, for the head; see `theme.json`. */
  readonly stylesHtml: string
  /** The blocks of the sidebar; empty on pages without one. */
  readonly sidebarHtml: string
  readonly page: PageContext
  readonly heading: string
  readonly descriptionHtml: string
  /** Layout of a list of posts. */
  readonly listLayout: AppearanceSettings['homeLayout']
  /** The posts of a list; on a single page the one post. */
  readonly posts: readonly TemplatePost[]
  readonly post: TemplatePost | undefined
  readonly comments: readonly TemplateComment[]
  /** `undefined` if the visitor cannot comment. */
  readonly commentForm: TemplateCommentForm | undefined
  /** Sign-in URL, if commenting requires an account. */
  readonly commentLoginUrl: string | undefined
  /** There are comments, but new ones are not allowed. */
  readonly commentsClosed: boolean
  /** The post is locked, and the visitor has just entered a wrong password. */
  readonly passwordRefused: boolean
  readonly file: TemplateFile | undefined
  /** Adjacent posts by date. */
  readonly previous: TemplateLinkHtml | undefined
  readonly next: TemplateLinkHtml | undefined
  /** Below a post, if the owner shows it and the author has biographical information. */
  readonly authorBox: TemplateAuthor | undefined
  /** Absolute URL of a post, for links that share it; empty if the owner does not show them. */
  readonly shareUrl: string
  /** Other posts, starting with those in the same category. */
  readonly related: readonly TemplateCard[]
  /** From the homepage to the parent of the page; empty unless the owner shows them. */
  readonly breadcrumbs: readonly TemplateCrumb[]
  /** Child pages. */
  readonly children: readonly TemplateLink[]
  readonly parent: TemplateLinkHtml | undefined
  /** The primary menu, or top-level pages if there is none. */
  readonly menu: readonly TemplateLink[]
  /** Menus by location; locations without a menu are missing. */
  readonly menus: Readonly<Record<string, readonly TemplateLink[]>>
  readonly pagination: TemplatePagination | undefined
  /** URL of a theme file with a content hash. */
  asset(file: string): string
}

/** Loads the template data of a page with few sequential queries. */
export function createPageView(parts: {
  content: Content
  hooks: Hooks
  discussion: Discussion
  pageData: PageDataCache
  menu: FindMenu
  relatedData: FindRelatedData
  portraits: FindPortraits
  names: PostNames
  viewPost: ViewPost
  siteImages: SiteImages
  /** Site URL without a trailing slash. */
  origin: string
  /** Id of the page with the privacy policy; 0 if there is none. */
  policyPage: () => number
}) {
  const { content, hooks, discussion, pageData, menu, relatedData, portraits, names, origin, policyPage } = parts
  const { viewPost, siteImages } = parts

  const adjacent = pageData.remember(async (id) => {
    const post = await content.posts.get(Number(id))
    return post ? content.posts.neighbors(post) : undefined
  })

  /** Adjacent posts that the user can read; the cached part is the same for everyone. */
  async function neighbors(post: Post, { user }: PageContext) {
    const found = await adjacent(String(post.id))
    const both = [found?.previous, found?.next].filter((one) => one !== undefined)
    const isOpen = (await content.readable(both, user)).length === both.length
    return isOpen ? found : content.posts.neighbors(post, user)
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

  const ancestors = createAncestors(content, pageData)

  function nameOf(post: Post | undefined, page: PageContext, { __ }: ThemeTexts): TemplateLinkHtml | undefined {
    if (!post) return undefined
    page.addTags(`post-${post.id}`)
    const [{ titleHtml, url } = { titleHtml: '', url: '' }] = names([post])
    return { titleHtml: titleHtml || escapeHtml(__('Untitled')), url }
  }

  async function privacyPolicy(page: PageContext, texts: ThemeTexts): Promise<TemplateLinkHtml | undefined> {
    const id = policyPage()
    if (id === 0) return undefined
    page.addTags(`post-${id}`)
    return nameOf(await ancestors.published(id), page, texts)
  }

  const aroundPost = createAroundPost({ content, pageData, relatedData, names, origin })

  async function ofPost(page: PageContext, look: AppearanceSettings, texts: ThemeTexts) {
    const { post, kind } = page
    if (!post || kind === 'home') return {}
    const [data, about, file, around, children, above] = await Promise.all([
      relatedData([post.id]).then((of) => of(post.id)),
      viewComments(page, post),
      kind === 'attachment' ? fileOf(post) : undefined,
      kind === 'single' && post.type === 'post' ? neighbors(post, page) : undefined,
      kind === 'page' ? menu.pages(post.id, page) : [],
      kind === 'single' ? [] : ancestors.of(post, page.user),
    ])
    const isArticle = kind === 'single' && post.type === 'post' && !page.locked
    const settings = content.siteSettings()
    const { threadComments, threadCommentsDepth } = discussion.settings()
    const write = (date: string) => formatDate(date, settings.dateFormat, settings)
    return {
      previous: nameOf(around?.previous, page, texts),
      next: nameOf(around?.next, page, texts),
      comments: toThreads(about.comments, post.authorId, write, {
        depth: threadComments === 'on' ? threadCommentsDepth : 1,
        render: content.renderComment,
        replyUrl: about.replyUrl,
        portraits: await portraits(registeredAuthors(about.comments)),
      }),
      commentForm: about.form,
      commentLoginUrl: about.loginUrl,
      commentsClosed: about.closed,
      file,
      children,
      parent: nameOf(above.at(-1), page, texts),
      authorBox: look.authorBox && isArticle ? aroundPost.author(data) : undefined,
      shareUrl: look.shareButton && isArticle ? content.link(post) : '',
      related: look.relatedPosts && isArticle ? await aroundPost.related(post, data, page) : [],
      breadcrumbs:
        look.breadcrumbs && kind !== 'front-page'
          ? await aroundPost.breadcrumbs(
              data,
              above.flatMap((parent) => nameOf(parent, page, texts) ?? []),
              page,
              texts,
            )
          : [],
    }
  }

  return async (page: PageContext, theme: Theme, look: Look): Promise<TemplateData> => {
    const settings = content.siteSettings()
    const language = toLanguage(settings.language)
    const texts = theme.texts(settings.language)
    const whole = page.post !== undefined && page.kind !== 'home'
    const listLayout = layoutOf(page, look.settings)
    const [around, entries, own, ofSite, policy] = await Promise.all([
      relatedData(page.posts.map((post) => post.id)),
      menu.all(page),
      ofPost(page, look.settings, texts),
      siteImages.logos(look, page),
      privacyPolicy(page, texts),
    ])
    // In sequence, so that filters of different posts do not interleave.
    const posts: TemplatePost[] = []
    for (const post of page.posts) {
      // Lists are the same for all visitors, whichever passwords they have entered.
      const locked = whole ? page.locked : post.password !== ''
      page.addTags(...around(post.id).pageTags)
      const shown = { locked, whole, layout: listLayout, isFirst: posts.length === 0 }
      posts.push(await inLoop(post, () => viewPost(post, around(post.id), page, shown)))
    }
    return {
      site: {
        title: plainText(content.texturize(settings.title)),
        description: plainText(content.texturize(settings.description)),
        language,
        direction: direction(language),
        ...ofSite,
        privacyPolicy: policy,
      },
      appearance: look.settings,
      stylesHtml: printStyles(theme, look.settings),
      sidebarHtml: await renderSidebar({ content, hooks }, page, look.settings),
      page,
      heading: page.title,
      descriptionHtml: content.texturize(
        descriptionHtml(content.currentAddresses(page.term?.description ?? page.author?.description ?? '')),
      ),
      listLayout,
      posts,
      post: whole ? posts[0] : undefined,
      comments: [],
      commentForm: undefined,
      commentLoginUrl: undefined,
      commentsClosed: false,
      passwordRefused: wasPasswordRejected(page),
      file: undefined,
      previous: undefined,
      next: undefined,
      authorBox: undefined,
      shareUrl: '',
      related: [],
      breadcrumbs: [],
      children: [],
      parent: undefined,
      ...own,
      ...entries,
      pagination: whole ? undefined : toPagination(page),
      asset: theme.asset,
      ...texts,
    }
  }
}

/** Only the homepage features a post. */
function layoutOf({ kind, pageNumber }: PageContext, { homeLayout }: AppearanceSettings) {
  return homeLayout === 'magazine' && (kind !== 'home' || pageNumber > 1) ? 'cards' : homeLayout
}

export type ViewPage = ReturnType<typeof createPageView>
