import { type ExtensionHost, line, type Meta, type MetaKind } from 'pentad'
import { z } from 'zod'
import { readAddress } from './head/address.ts'

/** Maximum length of a field; the rest of an imported value is ignored. */
const LONGEST = 2000

/** An absolute http(s) URL or a path on this site; empty for none. */
const address = line(LONGEST).refine(
  (text) => text === '' || readAddress(text) !== undefined,
  'It must be a URL that starts with https:// or http://, or a path that starts with /.',
)
/** An image URL or an attachment ID. */
const image = line(LONGEST).refine(
  (text) => text === '' || /^\d{1,9}$/.test(text) || readAddress(text) !== undefined,
  'It must be an image URL or an attachment ID.',
)

/** Fields of all post types and taxonomies: schema, label and description. */
const SHARED = {
  _seo_title: [
    line(1000),
    'SEO title',
    'Title in search results. Can contain variables such as %sitename%. Leave empty for the default.',
  ],
  _seo_description: [
    line(LONGEST),
    'Meta description',
    'Description in search results. Can contain variables. Leave empty for the default.',
  ],
  _seo_canonical: [address, 'Canonical URL', 'URL that search engines should index instead of this one.'],
  _seo_noindex: [z.boolean(), 'Noindex', 'Keeps the page out of search results and sitemaps.'],
  _seo_nofollow: [z.boolean(), 'Nofollow', 'Asks search engines not to follow the links on the page.'],
  _seo_og_title: [
    line(1000),
    'Social title',
    'Title when the page is shared on social media. Can contain variables. Leave empty for the SEO title.',
  ],
  _seo_og_description: [
    line(LONGEST),
    'Social description',
    'Description when the page is shared on social media. Leave empty for the meta description.',
  ],
  _seo_og_image: [image, 'Social image', 'Image when the page is shared on social media: a URL or an attachment ID.'],
  _seo_x_title: [line(1000), 'X title', 'Title when the page is shared on X. Leave empty for the social title.'],
  _seo_x_description: [
    line(LONGEST),
    'X description',
    'Description when the page is shared on X. Leave empty for the social description.',
  ],
  _seo_x_image: [image, 'X image', 'Image when the page is shared on X. Leave empty for the social image.'],
} as const

/** Fields of posts only. */
const OF_POSTS = {
  _seo_primary_category: [z.int().min(0), 'Primary category', 'ID of the category shown in breadcrumbs and titles.'],
  _seo_schema_type: [
    line(100),
    'Schema type',
    'Type of the page in structured data. Leave empty for the default of the post type.',
  ],
  _seo_focus_keyword: [line(300), 'Focus keyword', 'Search term that the post should rank for.'],
} as const

/** The SEO fields of a post or term, as entered, with variables; empty if not set. */
export interface SeoFields {
  readonly title: string
  readonly description: string
  readonly canonical: string
  readonly noindex: boolean
  readonly nofollow: boolean
  readonly ogTitle: string
  readonly ogDescription: string
  readonly ogImage: string
  readonly xTitle: string
  readonly xDescription: string
  readonly xImage: string
  readonly primaryCategory: number
  readonly schemaType: string
  readonly focusKeyword: string
}

/**
 * Registers the fields as meta: `wp/v2` returns them to everyone, and users who can edit the post or term can change
 * them.
 */
export function registerFields({ content }: Pick<ExtensionHost, 'content'>): void {
  const shown = { single: true, showInRest: true, authCallback: () => true }
  const declare = (
    kind: MetaKind,
    fields: Readonly<Record<string, readonly [schema: z.ZodType, label: string, text: string]>>,
  ) => {
    for (const [key, [schema, label, description]] of Object.entries(fields)) {
      content.registerMeta(kind, key, { ...shown, schema, label, description })
    }
  }
  declare('post', { ...SHARED, ...OF_POSTS })
  declare('term', SHARED)
}

/** Reads the fields from stored meta, which an import or extension may have written without validation. */
export function readFields(meta: Meta = {}): SeoFields {
  const text = (key: keyof typeof SHARED | keyof typeof OF_POSTS) => {
    const value = meta[key]?.[0]
    return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, LONGEST).trim() : ''
  }
  const isOn = (key: keyof typeof SHARED) => ['true', '1'].includes(String(meta[key]?.[0]))
  return {
    title: text('_seo_title'),
    description: text('_seo_description'),
    canonical: text('_seo_canonical'),
    noindex: isOn('_seo_noindex'),
    nofollow: isOn('_seo_nofollow'),
    ogTitle: text('_seo_og_title'),
    ogDescription: text('_seo_og_description'),
    ogImage: text('_seo_og_image'),
    xTitle: text('_seo_x_title'),
    xDescription: text('_seo_x_description'),
    xImage: text('_seo_x_image'),
    primaryCategory: Number(text('_seo_primary_category')) || 0,
    schemaType: text('_seo_schema_type'),
    focusKeyword: text('_seo_focus_keyword'),
  }
}
