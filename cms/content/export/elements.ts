import type { User } from '../../../core/auth/types.ts'
import type { JsonValue } from '../../../core/options/types.ts'
import { encodePhp } from '../php-serialize.ts'
import type { Comment, Meta, Post, SiteSettings, Term } from '../types.ts'
import { escapeXml, plainElement, textElement } from './xml.ts'

/** Whether a meta value is left out. */
export type SkipMeta = (key: string, value: JsonValue) => boolean

const VERSION = '1.2'

/** Everything in front of the authors. */
export function openingElements(site: SiteSettings, url: string): string {
  return `<?xml version="1.0" encoding="UTF-8" ?>
<!-- This is a WordPress eXtended RSS file (WXR), made by Pentad. -->
<!-- WordPress reads it under Tools, Import, WordPress; Pentad under Tools, Import, or with "pentad import". -->
<rss version="2.0"
	xmlns:excerpt="http://wordpress.org/export/${VERSION}/excerpt/"
	xmlns:content="http://purl.org/rss/1.0/modules/content/"
	xmlns:wfw="http://wellformedweb.org/CommentAPI/"
	xmlns:dc="http://purl.org/dc/elements/1.1/"
	xmlns:wp="http://wordpress.org/export/${VERSION}/"
>
<channel>
	${plainElement('title', site.title)}
	${plainElement('link', url)}
	${plainElement('description', site.description)}
	${plainElement('pubDate', new Date().toUTCString())}
	${plainElement('language', site.language.replaceAll('_', '-'))}
	${plainElement('wp:wxr_version', VERSION)}
	${plainElement('wp:base_site_url', url)}
	${plainElement('wp:base_blog_url', url)}
`
}

export const CLOSING = '</channel>\n</rss>\n'

export function authorElement(user: User): string {
  return `	<wp:author>${plainElement('wp:author_id', user.id)}${textElement('wp:author_login', user.login)}${textElement('wp:author_email', user.email)}${textElement('wp:author_display_name', user.displayName)}${textElement('wp:author_first_name', user.firstName)}${textElement('wp:author_last_name', user.lastName)}</wp:author>\n`
}

/** @param parent - Slug of the term above it; empty for none. */
export function termElement(term: Term, parent: string, meta: Meta, skip: SkipMeta): string {
  const { id, taxonomy, slug, name, description } = term
  const more = (prefix: string) =>
    (description === '' ? '' : textElement(`${prefix}_description`, description)) +
    metaElements('wp:termmeta', meta, skip)
  if (taxonomy === 'category')
    return `	<wp:category>${plainElement('wp:term_id', id)}${textElement('wp:category_nicename', slug)}${textElement('wp:category_parent', parent)}${textElement('wp:cat_name', name)}${more('wp:category')}</wp:category>\n`
  if (taxonomy === 'post_tag')
    return `	<wp:tag>${plainElement('wp:term_id', id)}${textElement('wp:tag_slug', slug)}${textElement('wp:tag_name', name)}${more('wp:tag')}</wp:tag>\n`
  return `	<wp:term>${plainElement('wp:term_id', id)}${textElement('wp:term_taxonomy', taxonomy)}${textElement('wp:term_slug', slug)}${textElement('wp:term_parent', parent)}${textElement('wp:term_name', name)}${more('wp:term')}</wp:term>\n`
}

/** What an item says of a post besides its terms, meta and comments. */
export interface ItemSource {
  readonly post: Post
  readonly link: string
  /** Login of its author; empty for none. */
  readonly author: string
  /** Of an attachment. */
  readonly attachmentUrl: string | undefined
}

/** An item up to its terms. */
export function itemElements({ post, link, author, attachmentUrl }: ItemSource): string {
  const lines = [
    textElement('title', post.title),
    plainElement('link', link),
    plainElement('pubDate', new Date(`${post.dateGmt}Z`).toUTCString()),
    textElement('dc:creator', author),
    `<guid isPermaLink="false">${escapeXml(post.guid)}</guid>`,
    plainElement('description', ''),
    textElement('content:encoded', post.content),
    textElement('excerpt:encoded', post.excerpt),
    plainElement('wp:post_id', post.id),
    textElement('wp:post_date', timeOf(post.date)),
    textElement('wp:post_date_gmt', isFloating(post) ? NO_TIME : timeOf(post.dateGmt)),
    textElement('wp:post_modified', timeOf(post.modified)),
    textElement('wp:post_modified_gmt', timeOf(post.modifiedGmt)),
    textElement('wp:comment_status', post.commentStatus),
    textElement('wp:ping_status', post.pingStatus),
    textElement('wp:post_name', post.slug),
    textElement('wp:status', post.status),
    plainElement('wp:post_parent', post.parentId),
    plainElement('wp:menu_order', post.menuOrder),
    textElement('wp:post_type', post.type),
    textElement('wp:post_password', post.password),
    plainElement('wp:is_sticky', post.sticky ? 1 : 0),
    ...(attachmentUrl === undefined ? [] : [textElement('wp:attachment_url', attachmentUrl)]),
  ]
  return `	<item>\n${lines.map((line) => `		${line}\n`).join('')}`
}

export const ITEM_END = '	</item>\n'

export function metaElements(name: string, meta: Meta, skip: SkipMeta): string {
  const elements = Object.entries(meta).flatMap(([key, values]) =>
    values
      .filter((value) => !skip(key, value))
      .map(
        (value) =>
          `		<${name}>${textElement('wp:meta_key', key)}${textElement('wp:meta_value', encodePhp(value))}</${name}>\n`,
      ),
  )
  return elements.length === 0 ? '' : `\n${elements.join('')}`
}

const APPROVED: Readonly<Record<Comment['status'], string>> = {
  approved: '1',
  hold: '0',
  spam: 'spam',
  trash: 'trash',
}

export function commentElement(comment: Comment, meta: Meta, skip: SkipMeta): string {
  const lines = [
    plainElement('wp:comment_id', comment.id),
    textElement('wp:comment_author', comment.authorName),
    textElement('wp:comment_author_email', comment.authorEmail),
    plainElement('wp:comment_author_url', comment.authorUrl),
    textElement('wp:comment_author_IP', comment.authorAddress),
    textElement('wp:comment_date', timeOf(comment.date)),
    textElement('wp:comment_date_gmt', timeOf(comment.dateGmt)),
    textElement('wp:comment_content', comment.content),
    textElement('wp:comment_approved', APPROVED[comment.status]),
    textElement('wp:comment_type', comment.type),
    plainElement('wp:comment_parent', comment.parentId),
    plainElement('wp:comment_user_id', comment.userId),
  ]
  return `		<wp:comment>\n${lines.map((line) => `			${line}\n`).join('')}${metaElements('wp:commentmeta', meta, skip)}		</wp:comment>\n`
}

/** WordPress's date of a draft that nobody has dated: it gets one when it is published. */
const NO_TIME = '0000-00-00 00:00:00'

function isFloating({ status, dateGmt, modifiedGmt }: Post): boolean {
  return (status === 'draft' || status === 'pending') && dateGmt === modifiedGmt
}

function timeOf(time: string): string {
  return time.replace('T', ' ')
}
