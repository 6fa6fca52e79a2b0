import { RestError } from 'pentad'
import type { RedirectTerms } from '../types.ts'
import { type Address, canonicalPath } from './address.ts'
import { type Literals, literalFold, literalsOf } from './literals.ts'
import type { Captures } from './target.ts'

/** The RE2 engine, which matches in linear time; loaded on demand. */
export type Engine = typeof import('re2js')

export function loadEngine(): Promise<Engine> {
  return import('re2js')
}

/** A source that matches several URLs. */
export interface Pattern {
  /** Matches a URL. @returns the captures, or `undefined` if it does not match */
  match(address: Address): Captures | undefined
  /** Literals of every match, folded by `literalFold`. */
  readonly literals: Literals
  readonly seesQuery: boolean
}

type Source = Pick<RedirectTerms, 'source' | 'match' | 'query' | 'caseSensitive'>

/** Limits on the cost per character of a URL: length of an expression, and counted repetitions. */
const MOST_CHARACTERS = 2_000
const MOST_REPEATED = 200
/**
 * Maximum number of instructions of the compiled expression, each of which may run per character, and of its captures.
 */
const MOST_STEPS = 2_500
const MOST_CAPTURES = 99
/** Maximum of length times repetitions: larger expressions take seconds to compile, only to be rejected. */
const MOST_WRITTEN_OUT = 10_000
/** Maximum length of a URL for patterns. */
const LONGEST_SUBJECT = 2_048

/**
 * @throws RestError 400 `invalid_regex` for features that RE2 does not support: backreferences, lookaround, large
 * repetitions
 */
export function compilePattern(engine: Engine, rule: Source): Pattern {
  const { source, match, caseSensitive } = rule
  const expression = match === 'wildcard' ? wildcardExpression(source) : canonical(source)
  const seesQuery = rule.query === 'exact' || (match === 'wildcard' && source.includes('?'))
  const compiled = compile(engine, expression, caseSensitive, match === 'wildcard')
  const { prefix, needle } = literalsOf(expression)
  const groups = compiled.groupCount()
  const names = Object.entries(compiled.namedGroups())

  return {
    seesQuery,
    literals: { prefix: literalFold(prefix), needle: literalFold(needle) },
    match(address) {
      const subject = seesQuery && address.query !== '' ? `${address.path}?${address.query}` : address.path
      if (subject.length > LONGEST_SUBJECT || !compiled.test(subject)) return undefined
      const matcher = compiled.matcher(subject)
      if (!matcher.find()) return undefined
      const numbered = Array.from({ length: groups }, (_, at) => matcher.group(at + 1) ?? '')
      const named = Object.fromEntries(names.map(([name, at]) => [name, numbered[at - 1] ?? '']))
      return { numbered, named, withQuery: seesQuery }
    },
  }
}

function compile(engine: Engine, expression: string, caseSensitive: boolean, isWildcard: boolean) {
  if (expression.length > MOST_CHARACTERS)
    throw invalidRegex(`The pattern is longer than ${MOST_CHARACTERS} characters.`)
  const repeated = isWildcard ? 1 : repeats(expression)
  if (repeated > MOST_REPEATED || expression.length * repeated > MOST_WRITTEN_OUT) throw tooMuch()
  const compiled = compiledBy(engine, expression, caseSensitive)
  if (compiled.programSize() > MOST_STEPS) throw tooMuch()
  if (compiled.groupCount() > MOST_CAPTURES)
    throw invalidRegex(`The pattern has more than ${MOST_CAPTURES} capture groups.`)
  return compiled
}

function compiledBy(engine: Engine, expression: string, caseSensitive: boolean) {
  try {
    return engine.RE2JS.compile(expression, caseSensitive ? 0 : engine.RE2JS.CASE_INSENSITIVE)
  } catch (error) {
    throw invalidRegex(error instanceof Error ? error.message : String(error))
  }
}

function tooMuch(): RestError {
  return invalidRegex('The pattern is too complex: reduce its repetitions.')
}

function invalidRegex(reason: string): RestError {
  return new RestError('invalid_regex', `The regular expression is not valid: ${reason}`, {
    status: 400,
    params: { source: reason },
  })
}

/** Maximum product of nested counted repetitions: `(a{10}){10}` is 100. */
function repeats(expression: string): number {
  const counts = [...expression.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least = '', most = '']) =>
    Math.max(1, Number(least), Number(most)),
  )
  return counts.reduce((product, count) => Math.min(product * count, MOST_REPEATED + 1), 1)
}

/** `/blog/*` matches everything below `/blog/`; a trailing slash makes no difference. */
function wildcardExpression(source: string): string {
  const [path = '', ...query] = source.split('?')
  const written = [canonicalPath(path).replace(/(?<=.)\/$/, ''), ...query].join('?')
  const parts = written.split('*').map((part) => part.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&'))
  const isOpen = written.endsWith('*') || query.length > 0
  return `^${parts.join('(.*)')}${isOpen ? '' : '/?'}$`
}

/** An expression for canonical URLs: `^/caf%C3%A9/` becomes `^/café/`. */
function canonical(expression: string): string {
  return expression.normalize('NFC').replace(/(?:%[89a-f][\da-f])+/gi, (octets) => canonicalPath(octets))
}
