import { toPhrase } from './words.ts'

/** Words beyond these are ignored: a long question costs time and finds nothing more. */
const TERMS = 12
/** Maximum number of words if any word is sufficient. */
const TERMS_OF_SENTENCE = 40
const LENGTH = 1000

export interface Term {
  /** Words that must be consecutive. They contain only letters, digits and marks, so they need no escaping in queries. */
  readonly words: readonly string[]
  /** Whether the last word is a prefix: `espr` finds `espresso`. */
  readonly beginning: boolean
}

/** A parsed search phrase. */
export interface Question {
  readonly wanted: readonly Term[]
  readonly unwanted: readonly Term[]
  /** Whether one of the wanted words is enough. */
  readonly any: boolean
}

/**
 * Reads a search as WordPress does: all words must be there, `"in quotes"` in this order, `-not` this one. The last
 * word may be unfinished. Nothing in it is an operator of the database. `undefined` if there is no word to look for.
 * @param any one of the words is enough: for a question in a sentence
 */
export function readQuestion(text: string, any = false): Question | undefined {
  const most = any ? TERMS_OF_SENTENCE : TERMS
  const wanted: Term[] = []
  const unwanted: Term[] = []
  const parts = [...text.slice(0, LENGTH).matchAll(/(-?)"([^"]*)"|(\S+)/g)]
  parts.forEach(([whole, minus, quoted, word], at) => {
    const isUnwanted = quoted === undefined ? /^-[^-]/.test(whole) : minus === '-'
    const { words, beginning } = toPhrase(quoted ?? word ?? '')
    if (words.length === 0 || wanted.length + unwanted.length >= most) return
    const unfinished = quoted === undefined && at === parts.length - 1 && !isUnwanted
    ;(isUnwanted ? unwanted : wanted).push({ words, beginning: beginning || unfinished })
  })
  return wanted.length > 0 ? { wanted, unwanted, any } : undefined
}

/**
 * Splits a question whose last word may be unfinished into what has the word as it is, and what only has a longer one; `undefined` for other
 * questions. The index finds a word much faster than all words that begin with it.
 */
export function splitUnfinished(question: Question): { whole: Question; longer: Question } | undefined {
  const last = question.wanted.at(-1)
  if (!last?.beginning || question.any) return undefined
  const word = { ...last, beginning: false }
  return {
    whole: { ...question, wanted: [...question.wanted.slice(0, -1), word] },
    longer: { ...question, unwanted: [...question.unwanted, word] },
  }
}

/** Searched column: the index combines excerpt and content. */
export type SearchPlace = 'title' | 'content'

/** Which matches: those in a column, or those whose title has the wanted words, and the others. */
export type SearchScope = SearchPlace | 'with title' | 'beyond title'

/** Query for FTS5: https://sqlite.org/fts5.html#full_text_query_syntax */
export function toFts5({ wanted, unwanted, any }: Question, scope: SearchScope | undefined): string {
  const term = ({ words, beginning }: Term) => `"${words.join(' ')}"${beginning ? ' *' : ''}`
  const sought = wanted.map(term).join(any ? ' OR ' : ' AND ')
  const query = unwanted.length === 0 ? sought : `(${sought}) NOT (${unwanted.map(term).join(' OR ')})`
  switch (scope) {
    case undefined:
      return query
    case 'with title':
      return `(${query}) AND (title : (${sought}))`
    case 'beyond title':
      return `(${query}) NOT (title : (${sought}))`
    default:
      return `${scope} : (${query})`
  }
}

/** Query for PostgreSQL: https://www.postgresql.org/docs/current/datatype-textsearch.html#DATATYPE-TSQUERY */
export function toTsquery(question: Question, scope: SearchScope | undefined): string {
  if (scope !== 'with title' && scope !== 'beyond title') return inColumn(question, scope)
  const titles = inColumn({ ...question, unwanted: [] }, 'title')
  if (scope === 'beyond title') return `(${inColumn(question, undefined)}) & !(${titles})`
  // Without the condition that titles imply: PostgreSQL would multiply the estimates of both, and expect hardly any matches.
  return [titles, ...question.unwanted.map((one) => `!${toPhraseQuery(one)}`)].join(' & ')
}

function inColumn({ wanted, unwanted, any }: Question, place: SearchPlace | undefined): string {
  const term = (one: Term) => toPhraseQuery(one, place)
  const sought = wanted.map(term).join(any ? ' | ' : ' & ')
  return [`(${sought})`, ...unwanted.map((one) => `!${term(one)}`)].join(' & ')
}

function toPhraseQuery({ words, beginning }: Term, place?: SearchPlace): string {
  const weight = place === undefined ? '' : place === 'title' ? 'A' : 'D'
  const last = words.length - 1
  const suffix = (isBeginning: boolean) => (isBeginning || weight ? `:${isBeginning ? '*' : ''}${weight}` : '')
  return `(${words.map((word, at) => `'${word}'${suffix(beginning && at === last)}`).join(' <-> ')})`
}
