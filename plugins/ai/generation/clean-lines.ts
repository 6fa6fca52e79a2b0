import { plainText } from 'pentad'

/** What models put in front of what they were asked for: numbers and marks of lists and headings, `Title:`. */
const PREFIX = /^(?:[-*•#>]+\s+|\d{1,2}[.)]\s+|(?:title|tag|category)s?\s*[:：]\s*)+/iu

const QUOTES = /^["'“”„‟«»‹›‘’`*_]+|["'“”„‟«»‹›‘’`*_]+$/gu

/** What a model emphasises within a line. */
const BOLD = /\*\*(?=\S)(.+?)\*\*/gu

/** What is in a code block; its end may be missing. */
const FENCED = /```\w*\n([\s\S]*?)(?:```|$)/

/** Where a JSON value begins that holds texts; `[New] Salt` is none. */
const JSON_START = /^(?:\{|\[\s*["[{])/

/** `Here are three titles:` above them. */
const PREFACE = /[:：]\s*$/u

/** Characters of an answer, and of a line in it, that are looked at: no title, tag or category is longer. */
const MOST_READ = 50_000
const LONGEST_LINE = 2000

/** What would be a tag where somebody takes the text for HTML; `3 < 5` is none. */
const TAG = /<[/!?a-z][^>]*>?/giu

/** One line as a model says it, as plain text: without markup, escaped or not, list marks, quotes around it. */
export function cleanLine(line: string): string {
  const bare = plainText(line.slice(0, LONGEST_LINE)).replaceAll(TAG, '').replaceAll(BOLD, '$1').trim()
  return bare.replace(PREFIX, '').replaceAll(QUOTES, '').trim()
}

/** The lines of an answer that was to be a list: its lines, or the strings of a JSON value; none of one that is cut off. */
export function cleanLines(answer: string): string[] {
  const read = answer.slice(0, MOST_READ)
  const text = (FENCED.exec(read)?.[1] ?? read).trim()
  return (strings(text) ?? lines(text)).map(cleanLine).filter((line) => line !== '')
}

function lines(text: string): string[] {
  if (JSON_START.test(text)) return []
  const [first = '', ...others] = text.split('\n').filter((line) => line.trim() !== '')
  return PREFACE.test(first) && others.length > 0 ? others : [first, ...others]
}

/** The texts of a JSON value, also of one with words around it. */
function strings(text: string): string[] | undefined {
  const value = text.slice(text.search(/[[{]/), Math.max(text.lastIndexOf(']'), text.lastIndexOf('}')) + 1)
  const found: string[] = []
  try {
    JSON.parse(value, (_key, one: unknown) => {
      if (typeof one === 'string') found.push(one)
    })
  } catch {
    return undefined
  }
  return found.length > 0 ? found : undefined
}
