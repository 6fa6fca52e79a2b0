import { folded } from './address.ts'

/** Why a target is refused, in words for people; `undefined` if it is not. */
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

/** What a pattern captured: by number from 1, and by name. */
export interface Captures {
  readonly numbered: readonly string[]
  readonly named: Readonly<Record<string, string>>
  /** Whether the text may hold a query, which then stays one. */
  readonly withQuery: boolean
}

/** `$1` to `$99`, `${name}` and `$<name>`, `$$` for the sign itself; `*` in targets of wildcards. */
const PLACEHOLDER = /\$(?:\$|([1-9]\d?)|\{(\w+)\}|<(\w+)>)|\*/g

/** Where a target leads. */
export interface Arrival {
  /** What a pattern captured. */
  readonly captures?: Captures | undefined
  /** `*` stands for the next captured text, as in targets of wildcards. */
  readonly hasStars?: boolean
  /** Parameters of the request that go on to the target. */
  readonly passed?: string
}

/**
 * A target as it goes into `Location`: ASCII, what was captured encoded for its place, the query of the request before a
 * fragment. Nothing that a visitor sends makes another host, a header or a fragment of it: whether it is a path is
 * decided before anything is put in, and a path has one slash in front.
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

  /** `$12` is the twelfth if there are so many, otherwise the first before a 2. */
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

/** Captured texts come from an address in its one spelling: what is percent-encoded in them stays so. */
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

/** What is not ASCII, or ends a URL where one is written down, percent-encoded; the rest stays as it is. */
function ascii(url: string): string {
  return url
    .toWellFormed()
    .replaceAll('\\', '%5C')
    .replace(/[^\u0021-\u007e]+|["<>`{}|^]/g, encodeURIComponent)
}

/** Parameters of a request that go on to a target: those that neither it nor the source has itself. */
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
