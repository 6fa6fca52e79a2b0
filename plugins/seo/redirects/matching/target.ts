import { folded } from './address.ts'

/** The reason why a target is invalid, for users; `undefined` if it is valid. */
export function targetFault(target: string, isPattern: boolean): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(target)) return 'It must not contain control characters.'
  if (target === '') return 'A target is required.'
  if (target.includes('\\')) return 'It must not contain a backslash, which browsers treat as a slash.'
  if (target.startsWith('//')) return 'It must not start with two slashes: browsers treat what follows as a host.'
  if (target.startsWith('/')) return undefined
  if (isPattern && /^\$[\d{<]/.test(target)) return undefined
  const [, scheme, authority] = /^([a-z][a-z\d+.-]*):(?:\/\/([^/?#\\]*))?/i.exec(target) ?? []
  if (scheme === undefined) return 'It must be a path that starts with a slash, or an absolute URL.'
  if (!/^https?$/i.test(scheme)) return 'Its scheme must be http or https.'
  if (!authority) return 'It must have a host after the two slashes.'
  if (authority.includes('@')) return 'It must not contain a username.'
  if (/[$*]/.test(authority)) return 'A capture group must not be part of the host: visitors could choose it.'
  return URL.canParse(target) ? undefined : 'It is not a valid URL.'
}

/** Captures of a pattern: by number from 1, and by name. */
export interface Captures {
  readonly numbered: readonly string[]
  readonly named: Readonly<Record<string, string>>
  /** Whether the text may contain a query string, which is preserved. */
  readonly withQuery: boolean
}

/** `$1` to `$99`, `${name}`, `$<name>`, and `$$` for a literal sign; `*` in targets of wildcards. */
const PLACEHOLDER = /\$(?:\$|([1-9]\d?)|\{(\w+)\}|<(\w+)>)|\*/g

/** The resolved target. */
export interface Arrival {
  /** Captures of the pattern. */
  readonly captures?: Captures | undefined
  /** Whether `*` stands for the next capture, as in targets of wildcards. */
  readonly hasStars?: boolean
  /** Request parameters to pass on to the target. */
  readonly passed?: string
}

/**
 * Builds the value of `Location`: ASCII, captures encoded for their position, the passed-on query before a fragment.
 * Input of a visitor can never create another host, header or fragment: whether the target is a path is decided before
 * captures are inserted, and a path has one leading slash.
 */
export function locationOf(target: string, { captures, hasStars = false, passed = '' }: Arrival = {}): string {
  const filled = captures ? fill(target, captures, hasStars) : target
  const at = filled.indexOf('#')
  const address = at < 0 ? filled : filled.slice(0, at)
  const fragment = at < 0 ? '' : filled.slice(at)
  const joined = passed === '' ? address : address + (address.includes('?') ? '&' : '?') + passed
  const whole = joined + fragment
  if (/^https?:/i.test(target)) return URL.parse(whole)?.href ?? ''
  return ascii(`/${whole.replace(/^[/\\]+/, '')}`)
}

function fill(target: string, { numbered, named, withQuery }: Captures, hasStars: boolean): string {
  const at = target.search(/[?#]/)
  const inPath = withQuery ? encodeWithQuery : encodeForPath
  const inQuery = withQuery ? encodeWithQuery : encodeForQuery
  const text = (number: number) => numbered[number - 1] ?? ''
  let star = 0

  /** `$12` is group 12 if it exists, otherwise group 1 followed by a 2. */
  function byDigits(digits: string, encode: (text: string) => string): string {
    if (digits.length === 1 || Number(digits) <= numbered.length) return encode(text(Number(digits)))
    return encode(text(Number(digits.slice(0, 1)))) + digits.slice(1)
  }

  return target.replace(PLACEHOLDER, (written, digits, curly, angled, place: number) => {
    const encode = at >= 0 && place > at ? inQuery : inPath
    if (written === '*') return hasStars ? encode(text(++star)) : written
    if (written === '$$') return '$'
    if (digits !== undefined) return byDigits(digits, encode)
    const name = curly ?? angled
    return encode(/^\d+$/.test(name) ? text(Number(name)) : (named[name] ?? ''))
  })
}

/** Captures come from a canonical URL: percent-encoded characters stay encoded. */
function encodeForPath(text: string): string {
  return encodeWithQuery(text).replaceAll('?', '%3F')
}

function encodeForQuery(text: string): string {
  return encodeForPath(text).replaceAll('&', '%26').replaceAll('+', '%2B').replaceAll('=', '%3D')
}

function encodeWithQuery(text: string): string {
  return encodeURI(text.toWellFormed())
    .replace(/%25(?=[\dA-F]{2})/gi, '%')
    .replaceAll('#', '%23')
}

/** Percent-encodes characters that are not ASCII, or that end a URL in text. */
function ascii(url: string): string {
  return url
    .toWellFormed()
    .replaceAll('\\', '%5C')
    .replace(/[^\u0021-\u007e]+|["<>`{}|^]/g, encodeURIComponent)
}

/** Request parameters to pass on: those that neither target nor source contain. */
export function passedQuery(query: string, source: string, target: string): string {
  if (query === '') return ''
  const own = new Set([...namesIn(source), ...namesIn(target)])
  const passed = [...new URLSearchParams(query)].filter(([name]) => !own.has(folded(name)))
  return new URLSearchParams(passed).toString()
}

function namesIn(url: string): string[] {
  const [, query = ''] = /\?([^#]*)/.exec(url) ?? []
  return query === '' ? [] : [...new URLSearchParams(query).keys()].map(folded)
}
