import type { Auth, User } from '../../../core/auth/types.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import { escapeHtml } from '../../../core/http/escape-html.ts'
import type { Logger } from '../../../core/log.ts'
import type { Discussion } from '../../content/discussion/types.ts'
import type { BlockRenderCallback, Content, Post, Term } from '../../content/types.ts'
import { currentPage } from '../current-page.ts'
import type { SiteTexts } from '../theme/texts.ts'
import type { PageDataCache } from '../view/page-data-cache.ts'
import type { FindPortraits } from '../view/portraits.ts'
import type { FindRelatedData, RelatedData } from '../view/related-data.ts'

/** Dependencies of the core blocks. */
export interface BlockParts {
  readonly content: Content
  readonly auth: Auth
  readonly discussion: Discussion
  readonly hooks: Hooks
  readonly relatedData: FindRelatedData
  readonly portraits: FindPortraits
  /** A post by ID from the page-data cache; does not check whether the reader can see it. */
  readonly storedPost: (id: number) => Promise<Post | undefined>
  /** Caches public data until the site changes. */
  readonly pageData: PageDataCache
  /** Site URL without a trailing slash. */
  readonly origin: string
  /** The texts of the theme. */
  readonly texts: SiteTexts
  readonly log: Logger
}

/** Render callbacks by block name. */
export type BlockRenderers = Readonly<Record<`core/${string}`, BlockRenderCallback>>

/**
 * The reader: the user of the page, otherwise a visitor. In feeds, REST, emails and indexes, blocks show public data.
 * Read from the page, so that pages of visitors stay cacheable.
 */
export function reader(): User | null {
  return currentPage()?.user ?? null
}

/** Adds cache tags to the page, if one is shown. */
export function tagPage(...tags: readonly string[]): void {
  currentPage()?.addTags(...tags)
}

/** Whether the content of a post is locked: a password only unlocks the post on its own page. */
export function isClosed(post: Post): boolean {
  if (post.password === '') return false
  const page = currentPage()
  return page?.post?.id !== post.id || page.locked
}

/** A URL for an attribute; empty if it would run a script. WordPress's `esc_url`. */
export function safeUrl(url: string): string {
  const trimmed = url.trim()
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(trimmed.replace(/[\s\p{Cc}]/gu, ''))?.[1]?.toLowerCase()
  const isKnown =
    scheme === undefined || ['http', 'https', 'mailto', 'tel', 'sms', 'ftp', 'feed', 'webcal'].includes(scheme)
  return isKnown ? escapeHtml(trimmed.replace(/[\s\p{Cc}]/gu, '%20')) : ''
}

/** The escaped URL of a post or term. */
export const linkTo = (content: Content, of: Post | Term) => escapeHtml(content.link(of))

/** A title in lists. */
export function titleOf(content: Content, post: Post): string {
  return content.renderTitle(post) || '(no title)'
}

/** An inline script of a block, allowed by the policy of the page. */
export function pageScript(code: string): string {
  const page = currentPage()
  return page ? `<script nonce="${page.scriptNonce}">${code}</script>` : ''
}

/** Groups posts that are listed together, so that their related data is loaded at once. */
const together = new WeakMap<Post, readonly number[]>()

/** Registers posts of one list. */
export function listTogether(posts: readonly Post[]): void {
  const ids = posts.map(({ id }) => id)
  for (const post of posts) together.set(post, ids)
}

/** Related data of a post; adds its cache tags to the page. */
export async function around({ relatedData }: BlockParts, post: Post): Promise<RelatedData> {
  const found = (await relatedData(together.get(post) ?? [post.id]))(post.id)
  tagPage(...found.pageTags)
  return found
}

/** A class for an attribute value: `has-text-align-center`; none for invalid values. */
export function choiceClass(prefix: string, value: string): string | undefined {
  return /^[\w-]+$/.test(value) ? `${prefix}${value}` : undefined
}

/** Joins class names, skipping empty ones. */
export function classNames(...classes: readonly (string | false | undefined)[]): string {
  return classes.filter((name) => name).join(' ')
}

let lastId = 0
/** A unique element ID in the page. */
export function uniqueId(prefix: string): string {
  lastId = (lastId + 1) % 1_000_000_000
  return `${prefix}${lastId}`
}
