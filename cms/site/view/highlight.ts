import { readQuestion } from '../../content/search/question.ts'
import { toWords } from '../../content/search/words.ts'
import { createHtmlParser } from '../../text/html-parser.ts'

const TOKEN = /[\p{L}\p{N}\p{M}]+/gu

/**
 * Marks the words of a search where a reader sees them; the markup stays as it is, byte for byte.
 * @param search as it was typed
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
      // A character that is written as an entity is no part of a word here.
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
  // A run of a script without spaces is searched by pairs of characters: those that are meant are marked.
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
