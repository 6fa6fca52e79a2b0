import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { RestError } from 'pentad'
import { folded, parseAddress } from './matching/address.ts'
import { exactIdentity } from './matching/exact-rules.ts'
import { patternIdentity } from './matching/pattern-rules.ts'
import type { SiteAddresses } from './matching/site-address.ts'
import { targetFault } from './matching/target.ts'
import type { RedirectInput, RedirectTerms } from './types.ts'

/** Paths that must not be redirected: otherwise administrators could lock themselves out. */
const PROTECTED = /^\/(?:(?:wp-admin|wp-json)(?:\/|$)|wp-(?:login|cron|comments-post)\.php$)/
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/**
 * Normalizes the fields of a rule: applies defaults, and strips the origin of this site from the source.
 * @throws RestError 400 `rest_invalid_param` with the invalid fields
 */
export function readTerms(input: Omit<RedirectInput, 'hits'>, site: SiteAddresses): RedirectTerms {
  const { match = 'exact', status = 301, query = 'ignore', caseSensitive = false } = input
  const faults: Record<string, string> = {}
  const source = match === 'regex' ? input.source.trim() : readPath(input.source.trim(), site)
  const target = status === 410 || status === 451 ? '' : (input.target ?? '').trim()
  if (source === undefined) faults.source = 'It must be a path on this site.'
  else {
    const fault = match === 'regex' ? expressionFault(source) : pathFault(source)
    if (fault) faults.source = fault
  }
  const fault = status === 410 || status === 451 ? undefined : targetFault(target, match !== 'exact')
  if (fault) faults.target = fault
  if (source === undefined || Object.keys(faults).length > 0) throw invalidParameters(faults)
  return { source, target, match, status, query, caseSensitive }
}

export function invalidParameters(params: Readonly<Record<string, string>>): RestError {
  const details = Object.entries(params).map(([name, message]) => [name, { code: 'rest_invalid_param', message }])
  return new RestError('rest_invalid_param', `Invalid parameter(s): ${Object.keys(params).join(', ')}`, {
    status: 400,
    params,
    details: Object.fromEntries(details),
  })
}

function readPath(source: string, site: SiteAddresses): string | undefined {
  if (/^[/\\]{2}/.test(source)) return undefined
  return site.ofSource(source)?.replace(/#.*$/s, '')
}

function pathFault(source: string): string | undefined {
  if (CONTROL.test(source)) return 'It must not contain control characters.'
  if (!source.startsWith('/')) return 'It must start with a slash.'
  const { path } = parseAddress(source)
  if (/\/\.{1,2}(?:\/|$)/.test(path))
    return 'It must not contain the path segments . and .., which browsers resolve before they send a request.'
  return PROTECTED.test(folded(path)) ? 'This part of the site cannot be redirected.' : undefined
}

function expressionFault(source: string): string | undefined {
  if (CONTROL.test(source)) return 'It must not contain control characters.'
  return source === '' ? 'It must not be empty.' : undefined
}

/** SHA-256 of the unique key of a rule, in hex. */
export function identityOfTerms(terms: RedirectTerms): string {
  const identity = terms.match === 'exact' ? exactIdentity(terms) : patternIdentity(terms)
  return hash('sha256', identity, 'hex')
}

/** Every page needs the tag of its path, and most paths are requested again. */
const pathTags = new LRUCache<string, string>({
  max: 1000,
  maxSize: 200_000,
  sizeCalculation: (_tag, url) => url.length + 1,
})

/** Cache tag of the pages at a path, the same for all spellings; purged when a redirect for the path changes. */
export function pathTag(url: string): string {
  const known = pathTags.get(url)
  if (known !== undefined) return known
  const { key } = parseAddress(url)
  const tag = `redirect-${hash('sha256', folded(key), 'base64url').slice(0, 16)}`
  pathTags.set(url, tag)
  return tag
}
