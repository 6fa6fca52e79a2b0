import { readQuestion } from '../../content/search/question.ts'
import { toWords } from '../../content/search/words.ts'
import { createHtmlParser } from '../../text/html-parser.ts'

/** A word, or an entity, which is not part of a word. */
const TOKEN = /&(?:#\d+|#[Xx][\dA-Fa-f]+|[A-Za-z][A-Za-z\d]*);|[\p{L}\p{N}\p{M}]+/gu
const NOT_ASCII = /\P{ASCII}/u
/** Words of a text are compared up to the length to which the index truncates them. */
const LONG_WORD = 64

/**
 * Creates a function that highlights search terms in the visible text of safe HTML; the markup stays unchanged. What is known about
 * words is shared by its calls, so use one function for all texts of a page.
 * @param search the search phrase as entered
 */
export function createHighlight(search: string): (html: string) => string {
  const wanted = readQuestion(search)?.wanted
  if (!wanted) return (html) => html
  const whole = new Set(wanted.flatMap(({ words }) => words))
  const beginnings = wanted.flatMap(({ words, beginning }) => (beginning ? (words.at(-1) ?? []) : []))
  const isWanted = (word: string) => whole.has(word) || beginnings.some((start) => word.startsWith(start))
  const inAscii = asciiPattern(whole, beginnings)
  const known = new Map<string, string>()
  const mark = (token: string) => {
    if (token.startsWith('&')) return token
    if (!NOT_ASCII.test(token)) {
      return isWanted(token.slice(0, LONG_WORD).toLowerCase()) ? `<mark>${token}</mark>` : token
    }
    const marked = known.get(token) ?? markToken(token, isWanted)
    known.set(token, marked)
    return marked
  }

  const markText = (text: string) =>
    inAscii !== undefined && !NOT_ASCII.test(text) ? text.replace(inAscii, markMatch) : text.replace(TOKEN, mark)

  return (html) => {
    if (!html.includes('<')) return markText(html)
    let marked = ''
    let done = 0
    const parser = createHtmlParser(
      {
        ontext(text) {
          marked += html.slice(done, parser.startIndex) + markText(text)
          done = parser.endIndex + 1
        },
      },
      { decodeEntities: false },
    )
    parser.end(html)
    return marked + html.slice(done)
  }
}

/** Finds the wanted words in ASCII text at once, where looking at each word of it takes several times as long. */
function asciiPattern(whole: ReadonlySet<string>, beginnings: readonly string[]): RegExp | undefined {
  const wanted = [...whole]
  if (wanted.some((word) => NOT_ASCII.test(word) || word.length >= LONG_WORD)) return undefined
  const words = [...wanted, ...beginnings.map((start) => `${start}[A-Za-z\\d]*`)]
  return new RegExp(`&(?:#\\d+|#x[\\da-f]+|[a-z][a-z\\d]*);|(?<![a-z\\d])(?:${words.join('|')})(?![a-z\\d])`, 'gi')
}

function markMatch(match: string): string {
  return match.startsWith('&') ? match : `<mark>${match}</mark>`
}

function markToken(token: string, isWanted: (word: string) => boolean): string {
  const words = toWords(token)
  const [first] = words
  if (first !== undefined && words.length === 1) return isWanted(first) ? `<mark>${token}</mark>` : token
  // Text in scripts without spaces is searched by character pairs, which are highlighted.
  const characters = [...token]
  if (characters.length !== words.length) return words.some(isWanted) ? `<mark>${token}</mark>` : token
  const isMarked = characters.map((_, at) => {
    const pairs = [words[at - 1], words[at]].filter((pair) => pair !== undefined && [...pair].length === 2)
    return pairs.some((pair) => pair !== undefined && isWanted(pair))
  })
  return characters
    .map((character, at) => {
      const open = isMarked[at] && !isMarked[at - 1] ? '<mark>' : ''
      const close = isMarked[at] && !isMarked[at + 1] ? '</mark>' : ''
      return open + character + close
    })
    .join('')
}
