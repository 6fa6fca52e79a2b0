/** One segment of a route's path. */
export interface PathSegment {
  /** Segments with the same key match the same text, regardless of the names of their captures. */
  readonly key: string
  /** `null` for a literal; captures are its groups `c0`, `c1`, … */
  readonly regex: RegExp | null
  /** Whether it captures the entire segment without a pattern. */
  readonly open: boolean
  readonly names: readonly string[]
}

export interface PathPattern {
  readonly segments: readonly PathSegment[]
  /** Names of all captures, in order. */
  readonly names: readonly string[]
  /** In the format of WordPress's index: `/wp/v2/posts/(?P<id>\d+)`. */
  readonly wordpress: string
  /** In the format of OpenAPI: `/wp/v2/posts/{id}`. */
  readonly template: string
}

/** Default pattern of `{name}`. */
const ANYTHING = '[^/]+'

/**
 * Parses a path with captures: `/posts/{id:\\d+}`, `/map-{name}.xml`.
 *
 * @throws Error if braces do not match, a name is invalid or used twice, or a pattern does not compile.
 */
export function parsePathPattern(path: string): PathPattern {
  const segments: PathSegment[] = []
  const names: string[] = []
  let wordpress = ''
  let template = ''
  for (const text of splitSegments(path)) {
    const parts = splitCaptures(text, path)
    wordpress += '/'
    template += '/'
    let source = ''
    const own: string[] = []
    for (const part of parts) {
      if (typeof part === 'string') {
        source += escapeRegex(part)
        wordpress += part
        template += part
        continue
      }
      if (names.includes(part.name)) throw new Error(`The path ${path} captures "${part.name}" twice.`)
      source += `(?<c${own.length}>${part.pattern})`
      wordpress += `(?P<${part.name}>${part.pattern})`
      template += `{${part.name}}`
      own.push(part.name)
      names.push(part.name)
    }
    segments.push({
      key: own.length === 0 ? text : source,
      regex: own.length === 0 ? null : new RegExp(`^${source}$`),
      open: source === `(?<c0>${ANYTHING})`,
      names: own,
    })
  }
  return { segments, names, wordpress: wordpress || '/', template: template || '/' }
}

/** Splits at slashes outside of braces. */
function splitSegments(path: string): string[] {
  const segments: string[] = []
  let depth = 0
  let current = ''
  for (const letter of path) {
    if (letter === '{') depth++
    if (letter === '}') depth--
    if (letter === '/' && depth === 0) {
      if (current) segments.push(current)
      current = ''
    } else current += letter
  }
  if (depth !== 0) throw new Error(`The braces in the path ${path} are unbalanced.`)
  if (current) segments.push(current)
  return segments
}

/** `map-{name}.xml` → `'map-'`, the capture, `'.xml'`. */
function splitCaptures(segment: string, path: string): (string | { name: string; pattern: string })[] {
  const parts: (string | { name: string; pattern: string })[] = []
  let start = 0
  while (start < segment.length) {
    const open = segment.indexOf('{', start)
    if (open === -1) {
      parts.push(segment.slice(start))
      break
    }
    if (open > start) parts.push(segment.slice(start, open))
    const close = closingBrace(segment, open)
    const capture = /^([A-Za-z_]\w*)(?::(.+))?$/s.exec(segment.slice(open + 1, close))
    if (!capture?.[1]) throw new Error(`${segment.slice(open, close + 1)} in the path ${path} is not a capture.`)
    parts.push({ name: capture[1], pattern: capture[2] ?? ANYTHING })
    start = close + 1
  }
  return parts
}

function closingBrace(segment: string, open: number): number {
  let depth = 0
  for (let index = open; index < segment.length; index++) {
    if (segment[index] === '{') depth++
    if (segment[index] === '}' && --depth === 0) return index
  }
  throw new Error(`The braces in ${segment} are unbalanced.`)
}

function escapeRegex(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
