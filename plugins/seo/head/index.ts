import { type ExtensionHost, type Meta, oneLine, type PageContext } from 'pentad'
import { readFields } from '../fields.ts'
import { filtered, isText } from '../filtered.ts'
import '../hooks.ts'
import type { SeoSettings } from '../settings.ts'
import { canonicalOf } from './canonical.ts'
import { createDedupeTags } from './dedupe-tags.ts'
import { IMAGE_PATH, registerDefaultImage } from './default-image.ts'
import { defaultDescription } from './description.ts'
import { imageOfField, imageOfPost, largeImageOf, type SocialImage } from './images.ts'
import type { PageHead, Social } from './page-head.ts'
import { createPageMemo } from './page-memo.ts'
import { robotsOf } from './robots.ts'
import { siteName } from './site-name.ts'
import { openGraphTags, xTags } from './social.ts'
import { isHome } from './subject.ts'
import { metaTags } from './tags.ts'
import { fillTemplate } from './template.ts'
import { templatesFor } from './templates.ts'
import { termsOf } from './terms.ts'
import type { Source } from './variables.ts'
import { verificationTags } from './verification.ts'

/** The head data of pages that are being rendered. */
export interface Head {
  /** The head of the page; `undefined` for anything that is not a page: feeds, sitemaps, responses of extensions. */
  of(page: PageContext): PageHead | undefined
  /** The head of a page that is not being rendered, with this meta instead of the stored one. */
  preview(page: PageContext, meta: Meta): Promise<PageHead>
}

/** A head before filters, with the texts for social sharing that are its own; the others are empty. */
type Draft = PageHead

const NO_FIELDS = readFields()
const NOTHING: Social = { title: '', description: '', image: { url: '', alt: '' } }
/** After all callbacks that may respond to the request themselves. */
const LATE = 1000
/** Before the output of others: some parsers only read the start of the head. */
const EARLY = 1

/** Adds titles, descriptions, canonical URLs, robots, Open Graph, X cards and verification tags to pages. */
export function registerHead(host: ExtensionHost, { settings }: { settings: () => SeoSettings }): Head {
  const { content, hooks, pageData } = host
  const heads = new WeakMap<PageContext, PageHead>()
  const canonicals = new WeakMap<PageContext, string | null>()
  const drafts = createPageMemo<{ readonly made: Draft; readonly head: PageHead }>()
  const tags = createPageMemo<string>()
  const dedupeTags = createDedupeTags()

  async function storedMeta({ post, term }: PageContext): Promise<Meta> {
    if (post) return (await pageData.ofPost(post.id)).meta
    return term ? pageData.ofTerm(term.id) : {}
  }

  /** Texts and images of the page before filters. */
  async function draft(page: PageContext, meta: Meta): Promise<Draft> {
    const current = settings()
    const fields = readFields(meta)
    const terms = await termsOf(host, page, fields)
    const source: Source = { host, page, fields, terms }
    const templates = templatesFor(page, current)
    /** The first template with a result that is not empty. */
    const firstOf = async (...candidates: readonly string[]) => {
      for (const template of candidates) {
        const text = template === '' ? '' : await fillTemplate(template, current.titleSeparator, source)
        if (text !== '') return text
      }
      return ''
    }
    const title = (await firstOf(fields.title, templates.title)) || oneLine(page.title) || siteName(host)
    const known = { fields, terms, title }
    if (page.status !== 200) return { ...known, description: '', openGraph: NOTHING, x: NOTHING }

    // Do not describe locked content: the description could quote what the password protects.
    const shown = page.locked ? NO_FIELDS : fields
    const written = page.locked ? '' : await firstOf(shown.description, templates.description)
    const image = (await imageOfField(host, page, shown.ogImage)) ?? (await imageOf(page, meta))
    return {
      ...known,
      description: written || oneLine(await defaultDescription(host, page)),
      openGraph: { title: await firstOf(shown.ogTitle), description: await firstOf(shown.ogDescription), image },
      x: {
        title: await firstOf(shown.xTitle),
        description: await firstOf(shown.xDescription),
        image: (await imageOfField(host, page, shown.xImage)) ?? image,
      },
    }
  }

  async function filterTexts(page: PageContext, unfiltered: PageHead, made: Draft): Promise<PageHead> {
    const limited = hooks.limited({ signal: page.signal })
    const text = async (name: 'seo_title' | 'seo_description', before: string) => {
      const result = await limited.applyFiltersAsync(name, before, page)
      return filtered(host.log, name, { before, result, isValid: isText })
    }
    // Every page needs a title.
    const title = (await text('seo_title', made.title)) || made.title
    const description = page.status === 200 ? await text('seo_description', made.description) : ''
    const isSame = title === made.title && description === made.description
    return isSame ? unfiltered : toHead({ ...made, title, description })
  }

  async function describe(page: PageContext, meta: Meta): Promise<PageHead> {
    const made = await draft(page, meta)
    return filterTexts(page, toHead(made), made)
  }

  /** The head of a page that is being rendered. Before filters, it is the same object until something changes. */
  async function describeRendered(page: PageContext): Promise<PageHead> {
    const meta = await storedMeta(page)
    const { kind, status, post, term, author, postType, url, title, search, pageNumber, totalPages, locked } = page
    const isShared = page.user === null && !page.preview
    const key = post && kind !== 'home' ? await pageData.ofPost(post.id) : page.posts
    const { made, head } = await drafts(page, {
      key: isShared ? key : undefined,
      inputs: [
        ...[settings(), content.siteSettings(), meta, kind, status, post, term, author, postType, url, title, search],
        ...[pageNumber, totalPages, locked],
      ],
      async make(recorded) {
        const made = await draft(recorded, meta)
        return { made, head: toHead(made) }
      },
    })
    return filterTexts(page, head, made)
  }

  /** The image of the post or the default image; Open Graph requires one for every page. */
  async function imageOf(page: PageContext, meta: Meta): Promise<SocialImage> {
    const { siteLogo, siteIcon } = content.siteSettings()
    const own = page.locked ? undefined : await imageOfPost(host, page, meta)
    if (own) return own
    for (const id of [settings().socialImage, siteLogo ?? 0, siteIcon]) {
      const image = await largeImageOf(host, page, id)
      if (image) return image
    }
    return { url: host.site.url + IMAGE_PATH, width: 1200, height: 630, type: 'image/png', alt: '' }
  }

  async function printTags(
    page: PageContext,
    { head, current, url }: { head: PageHead; current: SeoSettings; url: string },
  ): Promise<string> {
    const isFirst = isHome(page) && page.pageNumber === 1
    const verification = isFirst ? metaTags('name', verificationTags(current)) : ''
    if (page.status !== 200) return verification
    const openGraph = current.openGraph === 'on' ? await openGraphTags(host, page, { head, url }) : []
    return [
      verification,
      metaTags('name', [['description', head.description]]),
      metaTags('property', openGraph),
      current.xCards === 'on' ? metaTags('name', xTags(current, head)) : '',
    ].join('')
  }

  registerDefaultImage(host)
  hooks.addAction(
    'template_redirect',
    async (page) => {
      const isPage = !page.responded && !page.feed && page.kind !== 'robots' && page.kind !== 'sitemap'
      if (isPage) heads.set(page, await describeRendered(page))
    },
    LATE,
  )
  hooks.addFilter('document_title', (title, page) => heads.get(page)?.title ?? title)
  hooks.addFilter('wp_robots', (before, page) => {
    const head = heads.get(page)
    return head ? robotsOf(host, settings(), { subject: page, fields: head.fields, before }) : before
  })
  hooks.addFilter('get_canonical_url', (before, page) => {
    const head = heads.get(page)
    if (!head) return before
    const known = typeof before === 'string' ? before : null
    const canonical = canonicalOf(host, { subject: page, fields: head.fields, before: known })
    canonicals.set(page, canonical)
    return canonical
  })
  hooks.addAction(
    'wp_head',
    (output, page) => {
      const head = heads.get(page)
      if (!head) return
      const current = settings()
      const url = canonicals.get(page) ?? page.url
      const make = (recorded: PageContext) => printTags(recorded, { head, current, url })
      const printed = tags(page, { key: head, inputs: [current, url], make })
      if (typeof printed !== 'string') return printed.then(output.print)
      output.print(printed)
    },
    EARLY,
  )
  hooks.addFilter('page_html', (html, page) => (heads.has(page) ? dedupeTags(html, page) : html), LATE)
  hooks.addFilter('page_insights', async (insights, page) => {
    const head = heads.get(page)
    if (!head) return insights
    const { __, _n } = await host.textsFor(page.user)
    const measured = (text: string) =>
      text === '' ? __('None') : `${text} (${_n('%s character', '%s characters', text.length)})`
    return [
      ...insights,
      { label: __('SEO title'), value: measured(head.title) },
      { label: __('Meta description'), value: measured(head.description) },
      { label: __('Canonical URL'), value: canonicals.get(page) ?? __('None') },
    ]
  })
  return { of: (page) => heads.get(page), preview: describe }
}

/** Texts for social sharing default to title and description. */
function toHead(draft: Draft): PageHead {
  const openGraph = withDefaults(draft.openGraph, draft)
  return { ...draft, openGraph, x: withDefaults(draft.x, openGraph) }
}

function withDefaults(social: Social, { title, description }: Pick<Social, 'title' | 'description'>): Social {
  return { ...social, title: social.title || title, description: social.description || description }
}
