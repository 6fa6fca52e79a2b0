import { AsyncLocalStorage } from 'node:async_hooks'
import { LRUCache } from 'lru-cache'
import { ContentClosed } from '../../core/hooks/errors.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import { asVisitor, currentRequest } from '../../core/http/request-context.ts'
import type { Logger } from '../../core/log.ts'
import { createLogLimit } from '../log-limit.ts'
import { BLOCK_FILTERS } from './blocks/render.ts'
import { forgetOnPurge } from './forget-on-purge.ts'
import type { Readers } from './readers.ts'
import { rememberEventually } from './render/remember.ts'
import type { Render } from './render/types.ts'
import { readTextOfHtml } from './search/words.ts'
import type { Post } from './types.ts'
import { readShownText, type ShownText } from './visible-words.ts'

/** Filters with which an extension may hide parts of the content from visitors. */
export const HIDING = ['the_content', 'the_excerpt', 'shortcode_tags', 'render_shortcode_*', ...BLOCK_FILTERS] as const
/** Filters with which an extension may change titles. */
const TITLES = ['the_title', 'protected_title_format', 'private_title_format'] as const
/** Owner whose callbacks hide nothing. */
const CORE = 'core'

/** Actions after which the output of one post may change, with the index of its ID among their arguments. */
const CHANGES_OF_POST = {
  save_post: 0,
  deleted_post: 0,
  set_object_terms: 0,
  added_post_meta: 1,
  updated_post_meta: 1,
  deleted_post_meta: 1,
} as const
/** Actions after which the output of any post may change. */
const CHANGES = ['updated_option', 'created_term', 'edited_term', 'delete_term', 'profile_update'] as const

/** Milliseconds after which a text is rendered again: it may depend on the time, or on anything that purges nothing. */
const LIFETIME = 60_000
/** Characters of all texts together, and the least that an entry counts as. */
const CAPACITY = 20_000_000
const LEAST = 4000

/** The public text of posts, considering what extensions hide. */
export interface PublicText {
  /** Whether extensions may hide parts of contents; otherwise the stored text is public. */
  mayHide(): boolean
  mayChangeTitles(): boolean
  /** Like `Content.publicText`. */
  text(post: Post, most?: number): Promise<string>
  /** Like `Content.publicExcerpt`. */
  excerpt(post: Post): Promise<string>
  /** Like `Content.publicMarkup`. */
  markup(post: Post): Promise<string>
  /** The parts of a text derived from the content that are public in the content of the post. */
  shownOf(post: Post, text: string): Promise<string>
  /** All words that a search may find in content and excerpt. */
  searchable(post: Post): Promise<SearchableText>
}

export interface SearchableText {
  readonly content: string
  readonly excerpt: string
}

/** Content as rendered for an anonymous visitor. */
interface Rendered {
  readonly html: string
  /** Whether it is incomplete because a protective callback failed. */
  readonly isClosed: boolean
}

/** Cached results for one version of a post. */
interface Made {
  readonly content: string
  readonly excerpt: string
  readonly rendered: Promise<Rendered>
  /** Set once it was computed. */
  text?: string
  searchable?: SearchableText
}

/**
 * The author's words that occur in the output of the `the_content` filter for an anonymous visitor: it contains nothing that an extension
 * hides, and nothing that an extension adds. If a callback requests such a text itself, as one that searches the site does, it receives
 * only cached results, which prevents infinite recursion.
 */
export function createPublicText(parts: {
  hooks: Pick<Hooks, 'addAction' | 'addFilter' | 'owners'>
  readers: Readers
  render: Pick<Render, 'content' | 'excerpt' | 'pieces' | 'text'>
  log: Logger
}): PublicText {
  const { hooks, readers, render, log } = parts
  const known = new LRUCache<number, Made>({
    ...{ maxSize: CAPACITY, ttl: LIFETIME },
    sizeCalculation: ({ content, excerpt }) => Math.max(LEAST, content.length * 3 + excerpt.length),
  })
  /** The text of a content that no extension changes: it depends on nothing else. */
  const storedText = rememberEventually((content) => render.text({ content }))
  const making = new AsyncLocalStorage<boolean>()
  const limitLog = createLogLimit()
  let listeners: readonly (readonly string[])[] = []

  for (const [name, place] of Object.entries(CHANGES_OF_POST)) {
    hooks.addAction(name, (...args: unknown[]) => void known.delete(Number(args[place])))
  }
  for (const name of CHANGES) hooks.addAction(name, () => known.clear())
  forgetOnPurge(hooks, () => known.clear())

  function mayHide(): boolean {
    const now = HIDING.map((name) => hooks.owners(name))
    if (now.some((owners, at) => owners !== listeners[at])) {
      known.clear()
      listeners = now
    }
    return now.some(isOfExtension)
  }

  /** Logged once a minute for each hook and each kind of error, because a failing protection affects many posts and requests. */
  function warn(error: unknown, post: Post, message: string): void {
    const kind = error instanceof ContentClosed ? error.hook : String(error)
    const fields = limitLog(`${kind}: ${message}`)
    if (fields) log.warn({ err: error, post: post.id, ...fields }, message)
  }

  async function isOpen(post: Post): Promise<boolean> {
    return post.password === '' && (await readers.canRead(post, null))
  }

  /** Renders the content for an anonymous visitor; empty if that fails. */
  async function renderForVisitor(post: Post): Promise<Rendered> {
    try {
      const { result, isIncomplete } = await asVisitor(() => making.run(true, () => render.content(post)))
      return { html: result, isClosed: isIncomplete }
    } catch (error) {
      warn(error, post, 'post could not be rendered for visitors, no public text')
      return { html: '', isClosed: error instanceof ContentClosed }
    }
  }

  /** Several requests may wait for the same rendering: each that gets an incomplete result is marked. */
  async function htmlOf(post: Post, made: Made): Promise<string> {
    const { html, isClosed } = await made.rendered
    if (isClosed) {
      currentRequest()?.markIncomplete()
      // The next request tries again.
      if (known.get(post.id) === made) known.delete(post.id)
    }
    return html
  }

  function madeOf(post: Post): Made | undefined {
    const found = known.get(post.id)
    if (found?.content === post.content && found.excerpt === post.excerpt) return found
    if (making.getStore()) return undefined
    const made: Made = { content: post.content, excerpt: post.excerpt, rendered: renderForVisitor(post) }
    known.set(post.id, made)
    return made
  }

  /** The displayed text of a post for comparison; `undefined` while another text is being computed. */
  async function shownIn(post: Post, made: Made): Promise<ShownText | undefined> {
    return making.getStore() ? undefined : readShownText(await readTextOfHtml(await htmlOf(post, made)))
  }

  async function shownOfExcerpt(post: Post, text: string): Promise<string> {
    if (post.excerpt.trim() === '') return ''
    try {
      const { result } = await asVisitor(() => making.run(true, () => render.excerpt(post)))
      return await (await readShownText(await readTextOfHtml(result))).partsOf(text)
    } catch (error) {
      warn(error, post, 'excerpt could not be rendered for visitors, no public text')
      return ''
    }
  }

  return {
    mayHide,
    mayChangeTitles: () => TITLES.some((name) => isOfExtension(hooks.owners(name))),

    async text(post, most) {
      if (!(await isOpen(post))) return ''
      if (!mayHide()) return storedText(most === undefined ? post.content : post.content.slice(0, most))
      const made = madeOf(post)
      if (made?.text === undefined) {
        const shown = made && (await shownIn(post, made))
        if (!made || !shown) return ''
        made.text = await shown.partsOf(await render.pieces(post))
      }
      return most === undefined ? made.text : made.text.slice(0, most)
    },

    async excerpt(post) {
      if (post.excerpt.trim() === '' || !(await isOpen(post))) return ''
      if (!mayHide()) return storedText(post.excerpt)
      return making.getStore() ? '' : shownOfExcerpt(post, await render.pieces({ content: post.excerpt }))
    },

    async markup(post) {
      if (!(await isOpen(post))) return ''
      if (!mayHide()) return post.content
      if (making.getStore()) return ''
      const made = madeOf(post)
      return made ? htmlOf(post, made) : ''
    },

    async shownOf(post, text) {
      const made = madeOf(post)
      const shown = made && (await shownIn(post, made))
      return (await shown?.partsOf(text)) ?? ''
    },

    async searchable(post) {
      const made = madeOf(post)
      if (made?.searchable) return made.searchable
      const shown = made && (await shownIn(post, made))
      if (!made || !shown) return { content: '', excerpt: '' }
      made.searchable = {
        content: await shown.partsOf(await readTextOfHtml(post.content)),
        excerpt: await shownOfExcerpt(post, await readTextOfHtml(post.excerpt)),
      }
      return made.searchable
    },
  }
}

function isOfExtension(owners: readonly string[]): boolean {
  return owners.some((owner) => owner !== CORE)
}
