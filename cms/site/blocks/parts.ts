import type { Auth, User } from '../../../core/auth/types.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import { escapeHtml } from '../../../core/http/escape-html.ts'
import type { Logger } from '../../../core/log.ts'
import type { Discussion } from '../../content/discussion/types.ts'
import type { BlockRenderCallback, Content, Post, Term } from '../../content/types.ts'
import { currentPage } from '../current-page.ts'
import type { PageDataCache } from '../view/page-data-cache.ts'
import type { FindRelatedData, RelatedData } from '../view/related-data.ts'

/** What the blocks of core are rendered with. */
export interface BlockParts {
  readonly content: Content
  readonly auth: Auth
  readonly discussion: Discussion
  readonly hooks: Hooks
  readonly relatedData: FindRelatedData
  /** A post by its id, looked up once until something of the site changes; whether the reader may see it is not asked. */
  readonly storedPost: (id: number) => Promise<Post | undefined>
  /** Remembers what a visitor is shown until something of the site changes. */
  readonly pageData: PageDataCache
  /** The site's address, without a slash at the end. */
  readonly origin: string
  readonly log: Logger
}

/** Render callbacks by the names of their blocks. */
export type BlockRenderers = Readonly<Record<`core/${string}`, BlockRenderCallback>>

/**
 * Who reads what is rendered: the user of the page, else a visitor. In feeds, REST, mails and indexes blocks list what
 * everybody may read. Asked of the page, so that the pages of visitors stay in the page cache.
 */
export function reader(): User | null {
  return currentPage()?.user ?? null
}

/** Says what the page also depends on; nothing where no page is shown. */
export function tagPage(...tags: readonly string[]): void {
  currentPage()?.addTags(...tags)
}

/** Whether a post's text is closed to the reader: only the page of a post itself can have been given its password. */
export function isClosed(post: Post): boolean {
  if (post.password === '') return false
  const page = currentPage()
  return page?.post?.id !== post.id || page.locked
}

/** An address in an attribute; empty for one that runs something. WordPress's `esc_url`. */
export function safeUrl(url: string): string {
  const trimmed = url.trim()
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(trimmed.replace(/[\s\p{Cc}]/gu, ''))?.[1]?.toLowerCase()
  const isKnown =
    scheme === undefined || ['http', 'https', 'mailto', 'tel', 'sms', 'ftp', 'feed', 'webcal'].includes(scheme)
  return isKnown ? escapeHtml(trimmed.replace(/[\s\p{Cc}]/gu, '%20')) : ''
}

/** The address of a post or term, escaped. */
export const linkTo = (content: Content, of: Post | Term) => escapeHtml(content.link(of))

/** A title as lists show it. */
export function titleOf(content: Content, post: Post): string {
  return content.renderTitle(post) || '(no title)'
}

/** A script of a block, where a page is shown; its policy allows it. */
export function pageScript(code: string): string {
  const page = currentPage()
  return page ? `<script nonce="${page.scriptNonce}">${code}</script>` : ''
}

/** Posts that are listed together, so that what stands around them is looked up once for all of them. */
const together = new WeakMap<Post, readonly number[]>()

/** Says that posts are shown in one list. */
export function listTogether(posts: readonly Post[]): void {
  const ids = posts.map(({ id }) => id)
  for (const post of posts) together.set(post, ids)
}

/** What stands around a post, which the page then depends on. */
export async function around({ relatedData }: BlockParts, post: Post): Promise<RelatedData> {
  const found = (await relatedData(together.get(post) ?? [post.id]))(post.id)
  tagPage(...found.pageTags)
  return found
}

/** A class for what an attribute chooses: `has-text-align-center`; none for what is no word. */
export function choiceClass(prefix: string, value: string): string | undefined {
  return /^[\w-]+$/.test(value) ? `${prefix}${value}` : undefined
}

/** Classes with blanks between, without those that there are not. */
export function classNames(...classes: readonly (string | false | undefined)[]): string {
  return classes.filter((name) => name).join(' ')
}

let lastId = 0
/** An id that no other element of the page has. */
export function uniqueId(prefix: string): string {
  lastId = (lastId + 1) % 1_000_000_000
  return `${prefix}${lastId}`
}
