import { RestError } from 'pentad'
import type { RedirectTerms } from '../types.ts'
import { type Address, canonicalPath } from './address.ts'
import { type Literals, literalFold, literalsOf } from './literals.ts'
import type { Captures } from './target.ts'

/** The engine of RE2, which needs time in proportion to the address, whatever the expression is; loaded when it is needed. */
export type Engine = typeof import('re2js')

export function loadEngine(): Promise<Engine> {
  return import('re2js')
}

/** A source that takes more than one address. */
export interface Pattern {
  /** What it takes, of an address. @returns what it captured, or `undefined` if it does not take it */
  match(address: Address): Captures | undefined
  /** What every address begins with, and what is in every one, that it takes; by `literalFold`. */
  readonly literals: Literals
  readonly seesQuery: boolean
}

type Source = Pick<RedirectTerms, 'source' | 'match' | 'query' | 'caseSensitive'>

/** What the time for each character of an address grows with: characters of an expression, and counted repetitions. */
const MOST_CHARACTERS = 2_000
const MOST_REPEATED = 200
/** Steps of the compiled expression, each of which may be tried at each character, and what it may remember of them. */
const MOST_STEPS = 2_500
const MOST_CAPTURES = 99
/** Characters times repetitions: an expression of more would take seconds to compile, only to be refused then. */
const MOST_WRITTEN_OUT = 10_000
/** Characters of an address; longer ones are taken by no pattern. */
const LONGEST_SUBJECT = 2_048

/** @throws RestError 400 `invalid_regex` for what RE2 does not know: back-references, look-around, too large repetitions. */
export function compilePattern(engine: Engine, rule: Source): Pattern {
  const { source, match, caseSensitive } = rule
  const expression = match === 'wildcard' ? wildcardExpression(source) : spelt(source)
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

/** How often counted repetitions inside one another repeat at most: `(a{10}){10}` is 100. */
function repeats(expression: string): number {
  const counts = [...expression.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least = '', most = '']) =>
    Math.max(1, Number(least), Number(most)),
  )
  return counts.reduce((product, count) => Math.min(product * count, MOST_REPEATED + 1), 1)
}

/** `/blog/*` takes what is below `/blog/`; a slash at the end makes no difference. */
function wildcardExpression(source: string): string {
  const [path = '', ...query] = source.split('?')
  const written = [canonicalPath(path).replace(/(?<=.)\/$/, ''), ...query].join('?')
  const parts = written.split('*').map((part) => part.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&'))
  const isOpen = written.endsWith('*') || query.length > 0
  return `^${parts.join('(.*)')}${isOpen ? '' : '/?'}$`
}

/** An expression as it is held against addresses in their one spelling: `^/caf%C3%A9/` means `^/café/`. */
function spelt(expression: string): string {
  return expression.normalize('NFC').replace(/(?:%[89a-f][\da-f])+/gi, (octets) => canonicalPath(octets))
}
