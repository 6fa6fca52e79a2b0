/** A value that is written as a literal. */
export type Literal = string | number | boolean | null | readonly Literal[] | { readonly [key: string]: Literal }

/** Deeper literals are not read. */
const MAX_DEPTH = 8
const NUMBER = /-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?![\w$])/y
const WORD = /(?:true|false|null|!0|!1)(?![\w$])/y
const STRING = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\$]|\\.)*`/y
const KEY = /(?:([A-Za-z_$][\w$]*)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')):/y

const WORDS: Readonly<Record<string, boolean | null>> = {
  ...{ true: true, '!0': true, false: false, '!1': false, null: null },
}

/**
 * Reads the properties at the start of an object literal, up to the first one whose value is not a literal.
 *
 * @param code - Without whitespace and comments, as `minifyWhitespace` of esbuild writes it.
 * @param start - The index after the opening brace.
 */
export function readProperties(code: string, start: number): Readonly<Record<string, Literal>> {
  const reader = createReader(code, start)
  return reader.properties(0).found
}

/** The string literal at an index, and the index after it; `text` is `undefined` for escapes that JSON does not have. */
export function readString(
  code: string,
  at: number,
): { readonly text: string | undefined; readonly end: number } | undefined {
  STRING.lastIndex = at
  const match = STRING.exec(code)
  return match ? { text: textOf(match[0]), end: STRING.lastIndex } : undefined
}

function createReader(code: string, start: number) {
  let at = start

  function take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = at
    const match = pattern.exec(code)
    if (!match) return undefined
    at = pattern.lastIndex
    return match
  }

  function takeCharacter(character: string): boolean {
    if (code[at] !== character) return false
    at++
    return true
  }

  /** `isComplete` is whether the closing brace was reached. */
  function properties(depth: number): { readonly found: Record<string, Literal>; readonly isComplete: boolean } {
    const found: Record<string, Literal> = Object.create(null)
    while (!takeCharacter('}')) {
      const [, name, quoted] = take(KEY) ?? []
      const key = name ?? (quoted === undefined ? undefined : textOf(quoted))
      const value = key === undefined ? undefined : literal(depth)
      // Something follows that is not part of the literal, such as an operator.
      const isLast = code[at] === '}'
      if (key === undefined || value === undefined || !(isLast || takeCharacter(','))) {
        return { found, isComplete: false }
      }
      found[key] = value
    }
    return { found, isComplete: true }
  }

  function items(depth: number): Literal[] | undefined {
    const found: Literal[] = []
    while (!takeCharacter(']')) {
      const value = literal(depth)
      if (value === undefined || !(code[at] === ']' || takeCharacter(','))) return undefined
      found.push(value)
    }
    return found
  }

  function literal(depth: number): Literal | undefined {
    if (depth > MAX_DEPTH) return undefined
    if (takeCharacter('{')) {
      const { found, isComplete } = properties(depth + 1)
      return isComplete ? found : undefined
    }
    if (takeCharacter('[')) return items(depth + 1)
    const text = take(STRING)
    if (text) return textOf(text[0])
    const word = take(WORD)
    if (word) return WORDS[word[0]]
    const number = take(NUMBER)
    return number && Number(number[0])
  }

  return { properties }
}

/** `undefined` for escapes that JSON does not have. */
function textOf(literal: string): string | undefined {
  const inner = literal.slice(1, -1)
  try {
    const json = literal.startsWith('"')
      ? inner
      : inner.replaceAll("\\'", "'").replaceAll('\\`', '`').replaceAll('"', '\\"').replaceAll('\n', '\\n')
    return String(JSON.parse(`"${json}"`))
  } catch {
    return undefined
  }
}
