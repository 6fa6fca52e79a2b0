import type { JsonValue } from '../../core/options/types.ts'
import type { Meta } from './meta/types.ts'
import { replaceIn } from './replace-in-text.ts'

/** Converts URLs of the old site to URLs of this one. Lengths in text serialized by PHP are adjusted. */
export interface Addresses {
  inText(text: string): string
  /** In every string of the value; keys are not changed. */
  inValue(value: JsonValue): JsonValue
}

/** A WordPress network stores the files of each site in a separate folder; here there is one site. */
const NETWORK_UPLOADS = /^(\\*\/wp-content\\*\/uploads\\*\/)sites\\*\/\d+\\*\//

/**
 * @param from addresses of the old site, with or without a path: `https://example.org/blog`. http, https and `//` match,
 * with `www.` and without.
 * @param to this site's address without a slash at the end
 *
 * `http://example.org` is not found in `http://example.org.evil.net`, `http://example.org:8080`,
 * `http://example.organic` or behind another address (`https://web.archive.org/web/http://example.org`).
 * Slashes may be escaped as JSON inside meta has them: `http:\/\/example.org`.
 */
export function createAddresses(from: readonly string[], to: string): Addresses {
  const bases = [...new Set(from.map((url) => url.replace(/^https?:\/\/(?:www\.)?/i, '//').replace(/\/+$/, '')))]
    .filter((base) => base.length > 2)
    .sort((a, b) => b.length - a.length)
    .map((base) => base.split('/').slice(2).map(RegExp.escape).join('\\\\*\\/'))
  const pattern =
    bases.length === 0
      ? undefined
      : new RegExp(
          `(?:(?<![\\w./\\\\-])https?:|(?<![\\w./\\\\:-]))(\\\\*)\\/\\\\*\\/(?:www\\.)?(?:${bases.join('|')})(?![\\w@-]|\\.\\w|:\\d)`,
          'gi',
        )

  function inPlainText(text: string): string {
    if (!pattern) return text
    let result = ''
    let end = 0
    for (const match of text.matchAll(pattern)) {
      const slash = `${match[1] ?? ''}/`
      result += text.slice(end, match.index) + to.replaceAll('/', slash)
      end = match.index + match[0].length
      const network = NETWORK_UPLOADS.exec(text.slice(end, end + 80))
      if (network) {
        result += network[1]
        end += network[0].length
      }
    }
    return result + text.slice(end)
  }

  const inText = (text: string) => replaceIn(text, inPlainText)
  return { inText, inValue: (value) => inEveryString(value, inText) }
}

/** Meta with the strings in its values replaced; keys are not changed. */
export function inMeta(meta: Meta, replace: (text: string) => string): Meta {
  return Object.fromEntries(
    Object.entries(meta).map(([key, values]) => [key, values.map((value) => inEveryString(value, replace))]),
  )
}

/** The value with its strings replaced; keys are not changed. */
export function inEveryString(value: JsonValue, replace: (text: string) => string): JsonValue {
  if (typeof value === 'string') return replace(value)
  if (typeof value !== 'object' || value === null) return value
  const isList = (item: JsonValue): item is readonly JsonValue[] => Array.isArray(item)
  if (isList(value)) return value.map((item) => inEveryString(item, replace))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inEveryString(item, replace)]))
}
