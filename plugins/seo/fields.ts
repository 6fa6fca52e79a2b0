import { type ExtensionHost, line, type Meta, type MetaKind } from 'pentad'
import { z } from 'zod'
import { readAddress } from './head/address.ts'

/** Characters of a field; the rest of what an import brings is not read. */
const LONGEST = 2000

/** An absolute http(s) address or a path of this site; empty for none. */
const address = line(LONGEST).refine(
  (text) => text === '' || readAddress(text) !== undefined,
  'It must be an address that begins with https://, http:// or /.',
)
/** The address of an image, or the id of an attachment. */
const image = line(LONGEST).refine(
  (text) => text === '' || /^\d{1,9}$/.test(text) || readAddress(text) !== undefined,
  'It must be the address of an image or the id of an attachment.',
)

/** What posts of all types and terms of all taxonomies have: what each holds, its label and description. */
const SHARED = {
  _seo_title: [
    line(1000),
    'Search title',
    'Title for search results; may hold variables such as %sitename%. Empty for the usual one.',
  ],
  _seo_description: [
    line(LONGEST),
    'Search description',
    'Description for search results; may hold variables. Empty for the usual one.',
  ],
  _seo_canonical: [address, 'Canonical address', 'Address that search engines should keep in place of this one.'],
  _seo_noindex: [z.boolean(), 'Hidden from search engines', 'Keeps the page out of search engines and sitemaps.'],
  _seo_nofollow: [z.boolean(), 'Links not followed', 'Asks search engines not to follow the links of the page.'],
  _seo_og_title: [
    line(1000),
    'Sharing title',
    'Title where the page is shared; may hold variables. Empty for the title.',
  ],
  _seo_og_description: [
    line(LONGEST),
    'Sharing description',
    'Description where the page is shared. Empty for the description.',
  ],
  _seo_og_image: [image, 'Sharing image', 'Image where the page is shared: its address, or the id of an attachment.'],
  _seo_x_title: [line(1000), 'Title on X', 'Title on X. Empty for the one for sharing.'],
  _seo_x_description: [line(LONGEST), 'Description on X', 'Description on X. Empty for the one for sharing.'],
  _seo_x_image: [image, 'Image on X', 'Image on X. Empty for the one for sharing.'],
} as const

/** What only posts have. */
const OF_POSTS = {
  _seo_primary_category: [
    z.int().min(0),
    'Primary category',
    'Id of the category that stands for the post in breadcrumbs and titles.',
  ],
  _seo_schema_type: [
    line(100),
    'Type in structured data',
    'Type of the page in structured data. Empty for the usual one of its type.',
  ],
  _seo_focus_keyword: [line(300), 'Focus keyword', 'Words that the post wants to be found by.'],
} as const

/** The SEO box of a post or term. Texts are as they were typed, variables and all; empty where nothing is set. */
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

/** Declares the fields, so that `wp/v2` shows them to all and lets those write them who may edit the post or term. */
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

/** The fields from stored meta, which an import or an extension may have written without looking at the schema. */
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
