import type { LRUCache } from 'lru-cache'
import type { Hooks } from '../../../core/hooks/types.ts'
import { hasBlocks } from '../blocks/strip.ts'
import { LARGE } from '../large-text/index.ts'
import { HIDING } from '../public-text.ts'
import type { Post, SiteSettings } from '../types.ts'
import { createCoreState } from './core-state.ts'
import { createMemory } from './remember.ts'

/** Shortcodes, frames, and URLs: what core renders depending on the post, or on other sites. */
const VARIABLE = /\[|<iframe|(?:^|[\s>])https?:\/\//i
/** Rendered depending on attachments. */
const IMAGE = /<img/i
/** Filters with which an extension may change how any text is rendered. */
export const RENDERING = [
  ...HIDING,
  ...['all', 'run_wptexturize', 'no_texturize_tags', 'no_texturize_shortcodes', 'excerpt_length', 'excerpt_more'],
] as const

/** Renders the text of a post, or returns what was rendered of an equal text. */
export type RenderPlain = (text: string, post: Post, render: () => Promise<string>) => string | Promise<string>

export interface PlainTexts {
  /** Creates a memory for one kind of result. */
  remember(): RenderPlain
  /** Whether the text of a post is one of these, or would be without images. */
  isPlain(text: string, post: Post): boolean
}

/**
 * Remembers the result of rendering texts that core renders alone and the same at any time: without extensions, blocks that core fills,
 * shortcodes, media, and embeds. Calling all callbacks for each post of a list takes much longer.
 * @param parts.isStatic whether blocks are as they are saved
 */
export function createPlainTexts(parts: {
  hooks: Pick<Hooks, 'owners'>
  settings: () => SiteSettings
  isStatic: (content: string) => boolean
}): PlainTexts {
  const { hooks, settings, isStatic } = parts
  const current = createCoreState(hooks, settings, RENDERING)
  const isPlain = (text: string, { type }: Post) =>
    type !== 'attachment' && text.length < LARGE && !VARIABLE.test(text) && isStatic(text)

  function remember(): RenderPlain {
    let known: { readonly state: unknown; readonly classic: Memory; readonly blocks: Memory } | undefined
    return (text, post, render) => {
      const now = current()
      if (now === undefined || post.type === 'attachment') return render()
      if (known?.state !== now) known = { state: now, classic: createMemory(lengthOf), blocks: createMemory(lengthOf) }
      const memory = hasBlocks(post.content) ? known.blocks : known.classic
      const found = memory.get(text)
      if (found !== undefined) return found
      if (!isPlain(text, post) || IMAGE.test(text)) return render()
      return render().then((html) => {
        memory.set(text, html)
        return html
      })
    }
  }

  return { remember, isPlain: (text, post) => current() !== undefined && isPlain(text, post) }
}

type Memory = LRUCache<string, string>

function lengthOf(html: string): number {
  return html.length
}
