import { LRUCache } from 'lru-cache'
import type { Hooks, Undo } from '../../../core/hooks/types.ts'
import { PROVIDERS } from './provider-list.ts'

/** Maximum length of an embedded URL. */
const LONGEST_URL = 2000
/** Maximum number of cached compiled patterns; the default list has about fifty. */
const PATTERNS = 1000
/** URL of a YouTube player; the provider expects the URL of the video page. */
const YOUTUBE_PLAYER = /^https?:\/\/(?:www\.)?youtube\.com\/(?:v|embed)\/([^/?#]+)/i

/** Finds the provider of a URL. */
export interface Providers {
  /**
   * Endpoint with a placeholder for the format, `https://vimeo.com/api/oembed.{format}`; `undefined` if there is no
   * provider.
   */
  find(url: string): string | undefined
}

/** @param siteUrl sent to providers that require it */
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
 * WordPress's `wp_oembed_add_provider`, with the hooks of the extension.
 * @param format URL pattern: `https://example.com/videos/*` with `*` as wildcard, or a regular expression with
 * `isRegex`
 * @param endpoint endpoint of the provider (https)
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

/** The URL to request; WordPress's handler `youtube_embed_url`. */
export function askedUrl(url: string): string {
  const player = YOUTUBE_PLAYER.exec(url)?.[1]
  return player === undefined ? url : `https://www.youtube.com/watch?v=${player}`
}

/** `undefined` for an invalid expression. */
function compile(pattern: string, isRegex: boolean): RegExp | undefined {
  try {
    return new RegExp(isRegex ? pattern : fromWildcards(pattern), 'i')
  } catch {
    return undefined
  }
}

/** WordPress's format with asterisks; `http://` matches both schemes. */
function fromWildcards(format: string): string {
  const text = format.split('*').map(RegExp.escape).join('.+')
  return `^${text.replace(RegExp.escape('http://'), () => `https?:${RegExp.escape('//')}`)}$`
}
