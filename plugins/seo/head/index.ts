import { type ExtensionHost, type Meta, oneLine, type PageContext } from 'pentad'
import { readFields } from '../fields.ts'
import { filtered, isText } from '../filtered.ts'
import '../hooks.ts'
import type { SeoSettings } from '../settings.ts'
import { canonicalOf } from './canonical.ts'
import { dedupeTags } from './dedupe-tags.ts'
import { IMAGE_PATH, registerDefaultImage } from './default-image.ts'
import { defaultDescription } from './description.ts'
import { imageOfField, imageOfPost, largeImageOf, type SocialImage } from './images.ts'
import type { PageHead, Social } from './page-head.ts'
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

  async function storedMeta({ post, term }: PageContext): Promise<Meta> {
    if (post) return (await pageData.ofPost(post.id)).meta
    return term ? pageData.ofTerm(term.id) : {}
  }

  async function describe(page: PageContext, meta: Meta): Promise<PageHead> {
    const current = settings()
    const fields = readFields(meta)
    const terms = await termsOf(host, page, fields)
    const source: Source = { host, page, fields, terms }
    const templates = templatesFor(page, current)
    const fill = (template: string) => fillTemplate(template, current.titleSeparator, source)
    /** The first template with a result that is not empty. */
    const firstOf = async (...candidates: readonly string[]) => {
      for (const template of candidates) {
        const text = template === '' ? '' : await fill(template)
        if (text !== '') return text
      }
      return ''
    }
    const limited = hooks.limited({ signal: page.signal })

    const usualTitle = (await firstOf(fields.title, templates.title)) || oneLine(page.title) || siteName(host)
    const text = async (name: 'seo_title' | 'seo_description', before: string) => {
      const result = await limited.applyFiltersAsync(name, before, page)
      return filtered(host.log, name, { before, result, isValid: isText })
    }
    // Every page needs a title.
    const title = (await text('seo_title', usualTitle)) || usualTitle
    const known = { fields, terms, title, canonical: null }
    if (page.status !== 200) return { ...known, description: '', openGraph: NOTHING, x: NOTHING }

    // Do not describe locked content: the description could quote what the password protects.
    const shown = page.locked ? NO_FIELDS : fields
    const written = page.locked ? '' : await firstOf(shown.description, templates.description)
    const usual = written || oneLine(await defaultDescription(host, page))
    const description = await text('seo_description', usual)
    const openGraph = {
      title: (await firstOf(shown.ogTitle)) || title,
      description: (await firstOf(shown.ogDescription)) || description,
      image: (await imageOfField(host, page, shown.ogImage)) ?? (await imageOf(page, meta)),
    }
    const x = {
      title: (await firstOf(shown.xTitle)) || openGraph.title,
      description: (await firstOf(shown.xDescription)) || openGraph.description,
      image: (await imageOfField(host, page, shown.xImage)) ?? openGraph.image,
    }
    return { ...known, description, openGraph, x }
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

  registerDefaultImage(host)
  hooks.addAction(
    'template_redirect',
    async (page) => {
      const isPage = !page.responded && !page.feed && page.kind !== 'robots' && page.kind !== 'sitemap'
      if (isPage) heads.set(page, await describe(page, await storedMeta(page)))
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
    heads.set(page, { ...head, canonical })
    return canonical
  })
  hooks.addAction(
    'wp_head',
    async (output, page) => {
      const head = heads.get(page)
      if (!head) return
      const current = settings()
      if (isHome(page) && page.pageNumber === 1) output.print(metaTags('name', verificationTags(current)))
      if (page.status !== 200) return
      output.print(metaTags('name', [['description', head.description]]))
      if (current.openGraph === 'on') output.print(metaTags('property', await openGraphTags(host, page, head)))
      if (current.xCards === 'on') output.print(metaTags('name', xTags(current, head)))
    },
    EARLY,
  )
  hooks.addFilter('page_html', (html, page) => (heads.has(page) ? dedupeTags(html) : html), LATE)
  return { of: (page) => heads.get(page), preview: describe }
}
