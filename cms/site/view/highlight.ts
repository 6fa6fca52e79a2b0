import { readQuestion } from '../../content/search/question.ts'
import { toWords } from '../../content/search/words.ts'
import { createHtmlParser } from '../../text/html-parser.ts'

const TOKEN = /[\p{L}\p{N}\p{M}]+/gu

/**
 * Highlights search terms in visible text; the markup stays unchanged.
 * @param search the search phrase as entered
 * @param html safe HTML
 */
export function highlight(html: string, search: string): string {
  const wanted = readQuestion(search)?.wanted
  if (!wanted) return html
  const whole = new Set(wanted.flatMap(({ words }) => words))
  const beginnings = wanted.flatMap(({ words, beginning }) => (beginning ? (words.at(-1) ?? []) : []))
  const isWanted = (word: string) => whole.has(word) || beginnings.some((start) => word.startsWith(start))
  const known = new Map<string, string>()
  const mark = (token: string) => {
    const marked = known.get(token) ?? markToken(token, isWanted)
    known.set(token, marked)
    return marked
  }

  let marked = ''
  let done = 0
  const parser = createHtmlParser({
    ontext(text) {
      const [start, end] = [parser.startIndex, parser.endIndex + 1]
      // An entity is not part of a word.
      if (html.slice(start, end) !== text) return
      marked += html.slice(done, start) + text.replace(TOKEN, mark)
      done = end
    },
  })
  parser.end(html)
  return marked + html.slice(done)
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
