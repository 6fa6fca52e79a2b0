/**
 * What Google wants of structured data before it shows anything of it, from its documentation as of 2026. Of articles it
 * requires nothing by name and recommends what is here, and an image where there is one: asked for like the rest.
 */
export interface GoogleRule {
  readonly types: readonly string[]
  readonly source: string
  /** Paths of properties; `author.name` is looked for in each author. */
  readonly required: readonly string[]
}

const DOCUMENTATION = 'https://developers.google.com/search/docs/appearance'

export const GOOGLE_RULES: readonly GoogleRule[] = [
  {
    types: ['Article', 'BlogPosting', 'NewsArticle'],
    source: `${DOCUMENTATION}/structured-data/article`,
    required: ['author', 'author.name', 'author.url', 'dateModified', 'datePublished', 'headline'],
  },
  {
    types: ['BreadcrumbList'],
    source: `${DOCUMENTATION}/structured-data/breadcrumb`,
    required: ['itemListElement', 'itemListElement.position', 'itemListElement.name', 'itemListElement.item'],
  },
  { types: ['WebSite'], source: `${DOCUMENTATION}/site-names`, required: ['name', 'url'] },
  { types: ['Organization'], source: `${DOCUMENTATION}/structured-data/organization`, required: ['name', 'url'] },
  {
    types: ['ProfilePage'],
    source: `${DOCUMENTATION}/structured-data/profile-page`,
    required: ['mainEntity', 'mainEntity.name'],
  },
  {
    types: ['Product'],
    source: `${DOCUMENTATION}/structured-data/merchant-listing`,
    required: ['name', 'image', 'offers', 'offers.price', 'offers.priceCurrency', 'offers.availability'],
  },
  {
    types: ['ImageObject'],
    source: `${DOCUMENTATION}/structured-data/image-license-metadata`,
    required: ['contentUrl'],
  },
]
