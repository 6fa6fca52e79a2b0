import { type ExtensionHost, type PageContext, plainText, type Term, toLanguage } from 'pentad'
import type { SeoSettings } from '../settings.ts'
import { authorOf } from './author.ts'
import type { PageHead } from './page-head.ts'
import type { MetaTag } from './tags.ts'

/** Minimum size in pixels for a large image on X. */
const LARGE_CARD = { width: 300, height: 157 }
/** Maximum number of `article:tag` elements. */
const MOST_TAGS = 20

/** Open Graph tags (https://ogp.me). @param described.url canonical URL */
export async function openGraphTags(
  host: Pick<ExtensionHost, 'content' | 'auth' | 'pageData' | 'site'>,
  page: PageContext,
  { head, url }: { head: PageHead; url: string },
): Promise<MetaTag[]> {
  const { title, language } = host.content.siteSettings()
  const { image } = head.openGraph
  return [
    ['og:type', typeOf(page)],
    ['og:title', head.openGraph.title],
    ['og:description', head.openGraph.description],
    ['og:url', url],
    ['og:site_name', plainText(title)],
    ['og:locale', localeOf(language)],
    ['og:image', image.url],
    ...(image.width !== undefined && image.height !== undefined
      ? [['og:image:width', String(image.width)] as const, ['og:image:height', String(image.height)] as const]
      : []),
    ['og:image:type', image.type ?? ''],
    ['og:image:alt', image.alt],
    ...(typeOf(page) === 'article' ? await articleTags(host, page, head) : []),
    ...(typeOf(page) === 'profile' ? profileTags(page) : []),
  ]
}

/**
 * X card tags. X falls back to Open Graph, so only values that differ are printed; all of them if Open Graph is off.
 */
export function xTags(settings: SeoSettings, { openGraph, x }: PageHead): MetaTag[] {
  const isComplete = settings.openGraph === 'off'
  const differing = (text: string, other: string) => (isComplete || text !== other ? text : '')
  const { width, height } = x.image
  const isLarge =
    width === undefined ||
    height === undefined ||
    (width >= LARGE_CARD.width && height >= LARGE_CARD.height && width > height)
  return [
    ['twitter:card', isLarge ? 'summary_large_image' : 'summary'],
    ['twitter:site', settings.xAccount === '' ? '' : `@${settings.xAccount}`],
    ['twitter:title', differing(x.title, openGraph.title)],
    ['twitter:description', differing(x.description, openGraph.description)],
    ['twitter:image', differing(x.image.url, openGraph.image.url)],
    ['twitter:image:alt', x.image.url === openGraph.image.url && !isComplete ? '' : x.image.alt],
  ]
}

function typeOf({ kind }: PageContext): 'article' | 'profile' | 'website' {
  return kind === 'single' ? 'article' : kind === 'author' ? 'profile' : 'website'
}

async function articleTags(
  host: Pick<ExtensionHost, 'auth' | 'content' | 'pageData' | 'site'>,
  page: PageContext,
  { terms }: PageHead,
): Promise<MetaTag[]> {
  const { post } = page
  if (!post) return []
  const { category: [section] = [], post_tag: tags = [] } = terms
  const author = await authorOf(host, page)
  const named: readonly Term[] = [...(section ? [section] : []), ...tags.slice(0, MOST_TAGS)]
  page.addTags(...named.map(({ id }) => `term-${id}`))
  return [
    ['article:published_time', `${post.dateGmt}Z`],
    ['article:modified_time', `${post.modifiedGmt}Z`],
    ['article:author', author ? host.site.url + host.content.permalinks().author(author.slug) : ''],
    ['article:section', plainText(section?.name ?? '')],
    ...tags.slice(0, MOST_TAGS).map(({ name }): MetaTag => ['article:tag', plainText(name)]),
  ]
}

function profileTags({ author }: PageContext): MetaTag[] {
  return [
    ['profile:first_name', author?.firstName ?? ''],
    ['profile:last_name', author?.lastName ?? ''],
  ]
}

/** Cached per language, because finding the likely region is slow. */
const locales = new Map<string, string>()

/** `de_DE`: language and region as Open Graph requires, with the likely region if the site has none. */
function localeOf(setting: string): string {
  const written = toLanguage(setting)
  const known = locales.get(written)
  if (known !== undefined) return known
  const { language, region } = new Intl.Locale(written).maximize()
  const locale = region === undefined ? language : `${language}_${region}`
  locales.set(written, locale)
  return locale
}
