import { LRUCache } from 'lru-cache'
import type { Hooks, Undo } from '../../../core/hooks/types.ts'
import { PROVIDERS } from './provider-list.ts'

/** Characters of a URL that is embedded. */
const LONGEST_URL = 2000
/** Compiled patterns that are remembered; the list of core has about fifty. */
const PATTERNS = 1000
/** The address of a YouTube player; the provider answers for the page of the video. */
const YOUTUBE_PLAYER = /^https?:\/\/(?:www\.)?youtube\.com\/(?:v|embed)\/([^/?#]+)/i

/** Finds who answers for a URL. */
export interface Providers {
  /** The endpoint with the format still open, `https://vimeo.com/api/oembed.{format}`; `undefined` without a provider. */
  find(url: string): string | undefined
}

/** @param siteUrl what providers that ask for it are told of the site */
export function createProviders(hooks: Pick<Hooks, 'applyFilters'>, siteUrl: string): Providers {
  const patterns = new LRUCache<string, { readonly expression: RegExp | undefined }>({ max: PATTERNS })

  function compiled(pattern: string, isRegex: boolean): RegExp | undefined {
    const key = `${isRegex} ${pattern}`
    const known = patterns.get(key)
    if (known) return known.expression
    const expression = compile(pattern, isRegex)
    patterns.set(key, { expression })
    return expression
  }

  return {
    find(url) {
      if (url.length > LONGEST_URL || !URL.canParse(url)) return undefined
      for (const [pattern, [endpoint, isRegex]] of Object.entries(hooks.applyFilters('oembed_providers', PROVIDERS))) {
        if (compiled(pattern, isRegex)?.test(url)) return endpoint.replace('{site}', () => encodeURIComponent(siteUrl))
      }
      return undefined
    },
  }
}

/**
 * WordPress's `wp_oembed_add_provider`, on an extension's own hooks.
 * @param format which URLs: `https://example.com/videos/*`, where `*` is any text, or with `isRegex` an expression
 * @param endpoint where the provider answers (https)
 */
export function addOembedProvider(
  hooks: Pick<Hooks, 'addFilter'>,
  format: string,
  endpoint: string,
  isRegex = false,
): Undo {
  if (URL.parse(endpoint.replace('{format}', 'json'))?.protocol !== 'https:') {
    throw new TypeError(`The endpoint "${endpoint}" of an oEmbed provider must be an https URL.`)
  }
  return hooks.addFilter('oembed_providers', (providers) => ({ ...providers, [format]: [endpoint, isRegex] }))
}

/** The URL that a provider is asked for; WordPress's handler `youtube_embed_url`. */
export function askedUrl(url: string): string {
  const player = YOUTUBE_PLAYER.exec(url)?.[1]
  return player === undefined ? url : `https://www.youtube.com/watch?v=${player}`
}

/** `undefined` for an expression that is none. */
function compile(pattern: string, isRegex: boolean): RegExp | undefined {
  try {
    return new RegExp(isRegex ? pattern : fromWildcards(pattern), 'i')
  } catch {
    return undefined
  }
}

/** WordPress's format with asterisks; `http://` stands for both schemes there. */
function fromWildcards(format: string): string {
  const text = format.split('*').map(RegExp.escape).join('.+')
  return `^${text.replace(RegExp.escape('http://'), () => `https?:${RegExp.escape('//')}`)}$`
}
