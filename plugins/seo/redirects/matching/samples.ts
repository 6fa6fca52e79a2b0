/**
 * Sample matches of a regular expression, as far as they are obvious: for each choice the shortest and a longer one.
 * Must be verified by matching.
 */
export function samplesOf(expression: string): string[] {
  const samples = [0, 1, 2].flatMap((length) => [0, 1].map((branch) => createReader(expression, { length, branch })()))
  return [...new Set(samples)]
}

/** Text for a wildcard. */
export function wildcardSamples(source: string): string[] {
  return ['', 'x', 'x/y'].map((text) => source.replaceAll('*', text))
}

interface Choice {
  /** Number of repetitions for unbounded quantifiers. */
  readonly length: number
  /** Index of the alternative used. */
  readonly branch: number
}

const CLASSES: Readonly<Record<string, string>> = { d: '1', w: 'x', s: ' ', D: 'x', W: '-', S: 'x', p: 'x', P: '1' }

/** Parses an expression from its start; a malformed one yields an arbitrary text. */
function createReader(expression: string, { length, branch }: Choice): () => string {
  let at = 0
  const peek = () => expression.charAt(at)

  function alternatives(): string {
    const texts = [sequence()]
    while (peek() === '|') {
      at++
      texts.push(sequence())
    }
    return texts[Math.min(branch, texts.length - 1)] ?? ''
  }

  function sequence(): string {
    let text = ''
    while (at < expression.length && peek() !== '|' && peek() !== ')') text += repeated(atom())
    return text
  }

  function atom(): string {
    const character = expression.charAt(at++)
    if (character === '(') return group()
    if (character === '[') return oneOfClass()
    if (character === '\\') return escaped()
    if (character === '.') return 'x'
    return character === '^' || character === '$' ? '' : character
  }

  function group(): string {
    const [opening = ''] = /^\?(?:P?<\w+>|[a-zA-Z-]*:)|^\?[a-zA-Z-]+(?=\))/.exec(expression.slice(at)) ?? []
    at += opening.length
    const text = alternatives()
    if (peek() === ')') at++
    return text
  }

  function oneOfClass(): string {
    const isNegated = peek() === '^'
    if (isNegated) at++
    const from = at
    while (at < expression.length && (peek() !== ']' || at === from)) at += peek() === '\\' ? 2 : 1
    const members = expression.slice(from, at++)
    if (!isNegated)
      return members.startsWith('\\') ? (CLASSES[members.charAt(1)] ?? members.charAt(1)) : members.charAt(0)
    return ['x', '1', '-', '~'].find((one) => !members.includes(one)) ?? 'ø'
  }

  function escaped(): string {
    const character = expression.charAt(at++)
    if (/[pP]/.test(character)) at += /^(?:\{[^}]*\}|.)/.exec(expression.slice(at))?.[0].length ?? 0
    return /[bBAzZ]/.test(character) ? '' : (CLASSES[character] ?? character)
  }

  function repeated(text: string): string {
    const [quantifier = ''] = /^(?:[*+?]|\{\d+(?:,\d*)?\})[?+]?/.exec(expression.slice(at)) ?? []
    at += quantifier.length
    if (quantifier === '') return text
    if (quantifier.startsWith('*')) return text.repeat(length)
    if (quantifier.startsWith('+')) return text.repeat(Math.max(1, length))
    if (quantifier.startsWith('?')) return text.repeat(Math.min(1, length))
    const [, least = '0'] = /^\{(\d+)/.exec(quantifier) ?? []
    return text.repeat(Math.min(Number(least), 100))
  }

  return alternatives
}
