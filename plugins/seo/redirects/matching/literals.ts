/** Literal texts that every match of an expression contains, as a cheap check before the expression runs. */
export interface Literals {
  /** Literal prefix of every match. */
  readonly prefix: string
  /** Longest literal in every match. */
  readonly needle: string
}

const NONE: Literals = { prefix: '', needle: '' }

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\u0000-\u007f]*$/

/**
 * Folds all characters that a case-insensitive expression treats as equal, which is more than lower-casing does: `ſ`
 * and `s`, `ς` and `σ`.
 */
export function literalFold(text: string): string {
  const lower = text.toLowerCase()
  return ASCII.test(lower) ? lower : lower.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

/** @param expression valid RE2. If a literal is not obvious, none is returned. */
export function literalsOf(expression: string): Literals {
  if (expression.includes('\\Q')) return NONE
  const runs: { text: string; from: number }[] = []
  let run = { text: '', from: 0 }
  const end = (next: number) => {
    if (run.text !== '') runs.push(run)
    run = { text: '', from: next }
  }
  for (let at = 0; at < expression.length; ) {
    const character = expression.charAt(at)
    if (character === '|') return NONE
    if (character === '(' || character === '[') {
      at = character === '(' ? afterGroup(expression, at) : afterClass(expression, at)
      end(at)
    } else if (/[?*{]/.test(character)) {
      run.text = run.text.slice(0, -1)
      at = character === '{' ? expression.indexOf('}', at) + 1 : at + 1
      end(at)
    } else if (/[.+^$]/.test(character)) end(++at)
    else if (character !== '\\') {
      run.text += character
      at++
    } else if (/\W/.test(expression.charAt(at + 1))) {
      run.text += expression.charAt(at + 1)
      at += 2
    } else {
      at = afterEscape(expression, at)
      end(at)
    }
  }
  end(expression.length)
  const [first] = runs
  const prefix = expression.startsWith('^') && first?.from === 1 ? first.text : ''
  const needle = runs.reduce((longest, { text }) => (text.length > longest.length ? text : longest), '')
  return { prefix, needle }
}

function afterGroup(expression: string, from: number): number {
  let depth = 0
  for (let at = from; at < expression.length; ) {
    const character = expression.charAt(at)
    if (character === '[') at = afterClass(expression, at)
    else if (character === '\\') at += 2
    else {
      if (character === '(') depth++
      if (character === ')') depth--
      at++
      if (depth === 0) return at
    }
  }
  return expression.length
}

/** A bracket right after the opening one is a member, and `[:alpha:]` contains brackets. */
function afterClass(expression: string, from: number): number {
  const [whole] = /^\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]/su.exec(expression.slice(from)) ?? []
  return whole === undefined ? expression.length : from + whole.length
}

/** `\d`, `\pL`, `\p{Greek}`, `\x41`, `\x{1F389}`. */
function afterEscape(expression: string, from: number): number {
  const [whole = ''] =
    /^\\(?:[pP](?:\{\^?\w+\}|\w)|x(?:\{[\da-fA-F]+\}|[\da-fA-F]{2})|[0-7]{1,3}|.)/s.exec(expression.slice(from)) ?? []
  return from + whole.length
}
