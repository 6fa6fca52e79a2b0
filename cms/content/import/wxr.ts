import type { Element } from './read-elements.ts'

/** The head of an export: data of the site it comes from. */
export interface WxrSite {
  readonly title: string
  readonly description: string
  readonly language: string
  /** Addresses of the site, its own first. */
  readonly urls: readonly string[]
  readonly version: string
}

export interface WxrAuthor {
  readonly id: number
  readonly login: string
  readonly email: string
  readonly displayName: string
  readonly firstName: string
  readonly lastName: string
}

export interface WxrTerm {
  readonly id: number
  readonly taxonomy: string
  readonly slug: string
  readonly name: string
  readonly description: string
  /** Slug of the term above it; empty for none. */
  readonly parent: string
  readonly meta: readonly WxrMeta[]
}

export interface WxrMeta {
  readonly key: string
  readonly value: string
}

export interface WxrItem {
  readonly id: number
  readonly type: string
  readonly status: string
  readonly title: string
  readonly content: string
  readonly excerpt: string
  readonly slug: string
  readonly guid: string
  /** Public URL. */
  readonly link: string
  readonly author: string
  readonly parent: number
  readonly menuOrder: number
  readonly date: string
  readonly dateGmt: string
  readonly modified: string
  readonly modifiedGmt: string
  readonly password: string
  readonly commentStatus: string
  readonly pingStatus: string
  readonly sticky: boolean
  readonly attachmentUrl: string
  readonly terms: readonly { readonly taxonomy: string; readonly slug: string; readonly name: string }[]
  readonly meta: readonly WxrMeta[]
  readonly comments: readonly WxrComment[]
  readonly line: number
}

export interface WxrComment {
  readonly id: number
  readonly parent: number
  readonly userId: number
  readonly author: string
  readonly email: string
  readonly url: string
  readonly address: string
  readonly date: string
  readonly dateGmt: string
  readonly content: string
  readonly approved: string
  readonly type: string
  readonly meta: readonly WxrMeta[]
}

/** The kinds of elements below `<channel>` in WXR 1.0 to 1.2. */
export type WxrRecord =
  | { readonly kind: 'head'; readonly name: string; readonly text: string }
  | { readonly kind: 'author'; readonly author: WxrAuthor }
  | { readonly kind: 'term'; readonly term: WxrTerm }
  | { readonly kind: 'item'; readonly item: WxrItem }

/** Reads an element below `<channel>`; `undefined` for one without content. */
export function readRecord(element: Element): WxrRecord | undefined {
  switch (element.name) {
    case 'wp:author':
    case 'wp:wp_author':
      return { kind: 'author', author: readAuthor(element) }
    case 'wp:category':
      return { kind: 'term', term: readTerm(element, 'category', 'wp:category_nicename', 'wp:cat_name', 'wp:category') }
    case 'wp:tag':
      return { kind: 'term', term: readTerm(element, 'post_tag', 'wp:tag_slug', 'wp:tag_name', 'wp:tag') }
    case 'wp:term':
      return { kind: 'term', term: readTerm(element, '', 'wp:term_slug', 'wp:term_name', 'wp:term') }
    case 'item':
      return { kind: 'item', item: readItem(element) }
    default:
      return element.children.length === 0 ? { kind: 'head', name: element.name, text: element.text.trim() } : undefined
  }
}

/** The site of the head elements that came before everything else; `undefined` if they are not an export's. */
export function readSite(head: ReadonlyMap<string, string>): WxrSite | undefined {
  const version = head.get('wp:wxr_version')
  if (!version) return undefined
  const urls = [head.get('wp:base_blog_url'), head.get('link'), head.get('wp:base_site_url')]
  const own = urls.find((url) => url)
  return {
    title: head.get('title') ?? '',
    description: head.get('description') ?? '',
    language: (head.get('language') ?? '').replace('-', '_'),
    // The address of a network above this site is not this site.
    urls: own ? [...new Set(urls.filter((url): url is string => !!url && url.startsWith(own)))] : [],
    version,
  }
}

function readAuthor(element: Element): WxrAuthor {
  const text = reader(element)
  return {
    id: integer(text('wp:author_id')),
    login: text('wp:author_login').trim(),
    email: text('wp:author_email').trim(),
    displayName: text('wp:author_display_name'),
    firstName: text('wp:author_first_name'),
    lastName: text('wp:author_last_name'),
  }
}

function readTerm(element: Element, taxonomy: string, slug: string, name: string, prefix: string): WxrTerm {
  const text = reader(element)
  return {
    id: integer(text('wp:term_id')),
    taxonomy: taxonomy || text('wp:term_taxonomy'),
    slug: text(slug).trim(),
    name: text(name),
    description: text(`${prefix}_description`),
    parent: text(`${prefix}_parent`).trim(),
    meta: readMeta(element, 'wp:termmeta'),
  }
}

function readItem(element: Element): WxrItem {
  const text = reader(element)
  return {
    id: integer(text('wp:post_id')),
    type: text('wp:post_type').trim() || 'post',
    status: text('wp:status').trim() || 'publish',
    title: text('title'),
    content: text('content:encoded'),
    excerpt: text('excerpt:encoded'),
    slug: text('wp:post_name').trim(),
    guid: text('guid').trim(),
    link: text('link').trim(),
    author: text('dc:creator').trim(),
    parent: integer(text('wp:post_parent')),
    menuOrder: integer(text('wp:menu_order')),
    date: text('wp:post_date').trim(),
    dateGmt: text('wp:post_date_gmt').trim(),
    modified: text('wp:post_modified'),
    modifiedGmt: text('wp:post_modified_gmt'),
    password: text('wp:post_password'),
    commentStatus: text('wp:comment_status'),
    pingStatus: text('wp:ping_status'),
    sticky: text('wp:is_sticky') === '1',
    attachmentUrl: text('wp:attachment_url').trim(),
    // WXR 1.0 writes each category a second time without its slug.
    terms: element.children.flatMap(({ name, attributes, text: label }) => {
      const { domain = '', nicename = '' } = attributes
      if (name !== 'category' || nicename === '' || domain === '') return []
      return [{ taxonomy: domain === 'tag' ? 'post_tag' : domain, slug: nicename, name: label }]
    }),
    meta: readMeta(element, 'wp:postmeta'),
    comments: element.children.filter(({ name }) => name === 'wp:comment').map(readComment),
    line: element.line,
  }
}

function readComment(element: Element): WxrComment {
  const text = reader(element)
  return {
    id: integer(text('wp:comment_id')),
    parent: integer(text('wp:comment_parent')),
    userId: integer(text('wp:comment_user_id')),
    author: text('wp:comment_author'),
    email: text('wp:comment_author_email'),
    url: text('wp:comment_author_url').trim(),
    address: text('wp:comment_author_IP'),
    date: text('wp:comment_date'),
    dateGmt: text('wp:comment_date_gmt'),
    content: text('wp:comment_content'),
    approved: text('wp:comment_approved'),
    type: text('wp:comment_type') || 'comment',
    meta: readMeta(element, 'wp:commentmeta'),
  }
}

function readMeta(element: Element, name: string): WxrMeta[] {
  return element.children
    .filter((child) => child.name === name)
    .map((child) => {
      const text = reader(child)
      return { key: text('wp:meta_key'), value: text('wp:meta_value') }
    })
    .filter(({ key }) => key !== '')
}

function reader(element: Element): (name: string) => string {
  const texts = new Map<string, string>()
  for (const { name, text } of element.children) if (!texts.has(name)) texts.set(name, text)
  return (name) => texts.get(name) ?? ''
}

function integer(text: string): number {
  const value = Number(text.trim())
  return Number.isInteger(value) && Math.abs(value) <= 2_147_483_647 ? value : 0
}
