/**
 * Replaces the old URL of the site by the new one in plain text, HTML, JSON with escaped slashes (also nested), query
 * strings, and in data of PHP's `serialize`, whose strings contain their length in bytes. A single pass, so that
 * nothing is replaced twice. Longer host names with the same beginning (`a.com`, `a.com.au`) are not affected.
 *
 * @param from - Public URL without a trailing slash. Matches `http`, `https` and scheme-less URLs.
 */
export function createAddressRewriter(from: string, to: string): (text: string) => string {
  const old = parse(from)
  const next = parse(to)
  if (!old || !next || from === to) return (text) => text
  const forms = FORMS.map((form) => ({ ...form, next: form.write(to), bare: form.write(`//${next.rest}`) }))
  const alternatives = forms.map(
    ({ slashes, write }, index) =>
      `(?:(?<scheme${index}>https?${write(':')})|${NOT_IN_URL})${slashes}${literal(write(old.rest))}`,
  )
  const pattern = new RegExp(`(?:${alternatives.join('|')})${END}`, 'giu')
  const needle = new RegExp(literal(old.host), 'i')

  function inText(text: string): string {
    return text.replace(pattern, (found, ...matches) => {
      const form = forms.findIndex(({ lead }) => lead.test(found))
      const groups: Record<string, string | undefined> = matches.at(-1)
      const written = forms[form]
      if (!written) return found
      return groups[`scheme${form}`] === undefined ? written.bare : written.next
    })
  }

  /**
   * Replaces in text with serialized strings and updates their lengths. What only looks like one is treated as text.
   */
  function inSerialized(text: string, depth: number): string {
    const bytes = Buffer.from(text)
    const parts: string[] = []
    let done = 0
    const source = bytes.toString('latin1')
    for (const match of source.matchAll(/s:(\d{1,9}):"/g)) {
      if (match.index < done) continue
      const start = match.index + match[0].length
      const end = start + Number(match[1])
      if (source.slice(end, end + 2) !== '";') continue
      const content = inAny(bytes.subarray(start, end).toString(), depth + 1)
      parts.push(inText(bytes.subarray(done, match.index).toString()))
      parts.push(`s:${Buffer.byteLength(content)}:"${content}";`)
      done = end + 2
    }
    parts.push(inText(bytes.subarray(done).toString()))
    return parts.join('')
  }

  /** JSON may contain serialized data with escaped quotes. */
  function inJson(text: string, depth: number): string | undefined {
    try {
      return JSON.stringify(mapStrings(JSON.parse(text), (one) => inAny(one, depth + 1)))
    } catch {
      return undefined
    }
  }

  function inAny(text: string, depth: number): string {
    if (!needle.test(text)) return text
    if (depth > DEEPEST) return inText(text)
    if (/s:\d+:\\+"/.test(text) && /^\s*["[{]/.test(text)) return inJson(text, depth) ?? inText(text)
    return /s:\d+:"/.test(text) ? inSerialized(text, depth) : inText(text)
  }

  return (text) => inAny(text, 0)
}

/** Maximum nesting of serialized strings: each level is copied once more. */
const DEEPEST = 20

interface Form {
  readonly slashes: string
  readonly lead: RegExp
  write(url: string): string
}

/** Slashes escaped with a number of backslashes: none in plain text, one in JSON, two or three in nested JSON. */
function escaped(backslashes: number): Form {
  const slash = `${'\\'.repeat(backslashes)}/`
  return {
    slashes: literal(slash.repeat(2)),
    lead: new RegExp(`^(?:https?:)?${literal(slash)}`, 'i'),
    write: (url) => url.replaceAll('/', () => slash),
  }
}

/** The forms in which a URL may be written. */
const FORMS: readonly Form[] = [
  ...[0, 1, 2, 3].map(escaped),
  { slashes: '%2F%2F', lead: /^(?:https?%3A)?%2F/i, write: (url) => encodeURIComponent(url) },
]

/** A scheme-less URL must not be preceded by a part of another one. */
const NOT_IN_URL = String.raw`(?<![\p{L}\p{N}:/\\%])`
/** The host name must not continue after it, and no port may follow. */
const END = String.raw`(?![\p{L}\p{N}_@-]|\.[\p{L}\p{N}_-]|:\d|%3A\d)`

function parse(url: string): { host: string; rest: string } | undefined {
  const match = /^https?:\/\/(([^/]+).*)$/i.exec(url)
  return match?.[1] !== undefined && match[2] !== undefined
    ? { rest: match[1], host: match[2].split(':', 1)[0] ?? '' }
    : undefined
}

/**
 * Escapes text for a regular expression with the `u` flag, which does not allow escaping hyphens (ECMA-262,
 * IdentityEscape).
 */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** Maps all strings of a JSON value except property names. */
export function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((one) => mapStrings(one, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapStrings(one, map)]))
}
