/** Glob matching in polynomial time. A regular expression built from a pattern could backtrack almost forever. */

/** Maximum number of patterns that `{a,b}` may expand to. */
const ALTERNATIVES = 200
/** File systems of macOS and Windows ignore case. */
const FOLDS = process.platform === 'darwin' || process.platform === 'win32'
/** Extended syntax of other programs that is not supported. */
const UNSUPPORTED = /[?*+@!]\(|\[\[[:.=]|\{-?\w+\.\.-?\w+/

type Letter =
  | { readonly exact: string }
  | { readonly any: true }
  | { readonly of: readonly string[]; readonly not: boolean }
type Token = Letter | { readonly star: true }

/** Whether a pattern is supported: `*`, `?`, `[a-z]` and `[!a]` within names, `**` for any folders, `{a,b}`. */
export function isGlob(pattern: string): boolean {
  return !UNSUPPORTED.test(pattern) && alternatives(pattern) !== undefined
}

/** Creates a matcher for paths with `/` separators. As in a shell, `*` does not match names with a leading dot. */
export function createGlob(pattern: string): (path: string) => boolean {
  const globs = (alternatives(fold(pattern)) ?? []).map((one) => {
    const parts = one.split('/').map(compile)
    // `a/**` matches everything inside `a`, but not `a` itself.
    return parts.at(-1) === '**' ? [...parts, compile('*')] : parts
  })
  return (path) => {
    const names = fold(path).split('/')
    return globs.some((glob) => matchParts(glob, names))
  }
}

function fold(text: string): string {
  return FOLDS ? text.toLowerCase() : text
}

/** Expands `{a,b}`, also nested; `undefined` if there are too many alternatives. An unmatched brace is literal. */
function alternatives(pattern: string): string[] | undefined {
  const done: string[] = []
  const open = [pattern]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const braces = firstBraces(next)
    if (!braces) done.push(next)
    else for (const part of braces.parts) open.push(`${next.slice(0, braces.start)}${part}${next.slice(braces.end)}`)
    if (done.length + open.length > ALTERNATIVES) return undefined
  }
  return done
}

function firstBraces(pattern: string): { start: number; end: number; parts: string[] } | undefined {
  for (let start = pattern.indexOf('{'); start !== -1; start = pattern.indexOf('{', start + 1)) {
    const commas = [start]
    let depth = 0
    for (let at = start; at < pattern.length; at++) {
      const letter = pattern[at]
      if (letter === '{') depth += 1
      if (letter === ',' && depth === 1) commas.push(at)
      if (letter !== '}' || --depth > 0) continue
      if (commas.length === 1) break
      const parts = commas.map((comma, index) => pattern.slice(comma + 1, commas[index + 1] ?? at))
      return { start, end: at + 1, parts }
    }
  }
  return undefined
}

/** Compiles one path segment of a pattern; `**` matches any number of folders. */
function compile(part: string): readonly Token[] | '**' {
  if (part === '**') return part
  const tokens: Token[] = []
  for (let at = 0; at < part.length; ) {
    const letter = String.fromCodePoint(part.codePointAt(at) ?? 0)
    const set = letter === '[' ? /^\[([!^]?)(\]?[^\]]*)\]/u.exec(part.slice(at)) : null
    at += set?.[0].length ?? letter.length
    if (set?.[2]) tokens.push({ of: set[2].match(/.-.|./gsu) ?? [], not: set[1] !== '' })
    else if (letter === '*') tokens.push({ star: true })
    else tokens.push(letter === '?' ? { any: true } : { exact: letter })
  }
  return tokens
}

function matchParts(glob: readonly (readonly Token[] | '**')[], names: readonly string[]): boolean {
  return matchWith(glob, names, {
    isStar: (part) => part === '**',
    matches: (part, name) => part !== '**' && matchName(part, name),
    passes: (name) => !name.startsWith('.'),
  })
}

function matchName(tokens: readonly Token[], name: string): boolean {
  const [first] = tokens
  if (name.startsWith('.') && !(first && 'exact' in first)) return false
  return matchWith(tokens, [...name], {
    isStar: (token) => 'star' in token,
    matches: (token, letter) =>
      'exact' in token ? token.exact === letter : 'of' in token ? isOf(token, letter) : true,
    passes: () => true,
  })
}

function isOf({ of, not }: { readonly of: readonly string[]; readonly not: boolean }, letter: string): boolean {
  const pathExists = of.some((one) => {
    const [from = '', dash, to = ''] = one
    return dash === '-' ? letter >= from && letter <= to : one === letter
  })
  return pathExists !== not
}

interface Rules<Part, Item> {
  isStar(part: Part): boolean
  matches(part: Part, item: Item): boolean
  /** Whether a star may match it. */
  passes(item: Item): boolean
}

/**
 * On a mismatch, backtracks only to the last star and lets it match one more item; earlier stars never need to be
 * retried.
 */
function matchWith<Part, Item>(parts: readonly Part[], items: readonly Item[], rules: Rules<Part, Item>): boolean {
  let part = 0
  let item = 0
  let star: { part: number; item: number } | undefined
  while (item < items.length) {
    const [wanted, found] = [parts[part], items[item]]
    if (found === undefined) return false
    if (wanted !== undefined && rules.isStar(wanted)) {
      star = { part: ++part, item }
    } else if (wanted !== undefined && rules.matches(wanted, found)) {
      part += 1
      item += 1
    } else if (star) {
      const passed = items[star.item]
      if (passed === undefined || !rules.passes(passed)) return false
      star.item += 1
      ;({ part, item } = star)
    } else return false
  }
  return parts.slice(part).every(rules.isStar)
}
