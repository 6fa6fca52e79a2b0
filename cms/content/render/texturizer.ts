import type { Hooks } from '../../../core/hooks/types.ts'
import { toTexturized } from '../large-text/index.ts'
import { remember } from './remember.ts'
import { type TexturizeRules, texturize, UNTOUCHED_SHORTCODES, UNTOUCHED_TAGS } from './texturize.ts'

/** `wptexturize` as the site does it: by its language, its shortcodes and the filters of extensions. */
export interface Texturizer {
  /** For titles, names and comments. */
  texturize(html: string): string
  /** For contents: a large one is left to a thread. */
  texturizeContent(html: string): string | Promise<string>
}

/** Possible names of shortcodes in brackets. */
const NAMES = /(?<=\[[/[]?)[\w-]+/g

/** @param language language of the site, BCP 47 */
export function createTexturizer(
  hooks: Pick<Hooks, 'applyFilters'>,
  language: () => string,
  shortcodes: () => (name: string) => boolean,
): Texturizer {
  let remembered: { rules: TexturizeRules; step: (html: string) => string } | undefined

  function rulesFor(html: string): TexturizeRules | undefined {
    if (!hooks.applyFilters('run_wptexturize', true)) return undefined
    return {
      language: language(),
      tags: hooks.applyFilters('no_texturize_tags', UNTOUCHED_TAGS),
      shortcodes: html.includes('[') ? [...new Set(html.match(NAMES))].filter(shortcodes()) : [],
      untouchedShortcodes: hooks.applyFilters('no_texturize_shortcodes', UNTOUCHED_SHORTCODES),
    }
  }

  /** Without a shortcode the result depends on the language and the tags alone, which hardly ever change. */
  function set(html: string, rules: TexturizeRules): string {
    if (rules.shortcodes.length > 0) return texturize(html, rules)
    if (remembered === undefined || !isSame(rules, remembered.rules))
      remembered = { rules, step: remember((text) => texturize(text, rules)) }
    return remembered.step(html)
  }

  return {
    texturize(html) {
      const rules = rulesFor(html)
      return rules ? set(html, rules) : html
    },
    texturizeContent(html) {
      const rules = rulesFor(html)
      if (!rules) return html
      return toTexturized(html, rules) ?? set(html, rules)
    },
  }
}

function isSame(one: TexturizeRules, other: TexturizeRules): boolean {
  if (one.language !== other.language) return false
  return one.tags === other.tags || one.tags.join(' ') === other.tags.join(' ')
}
