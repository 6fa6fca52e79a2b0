import { plainText } from 'pentad'

/** Prefixes that models add: list markers, numbering, heading marks, `Title:`. */
const PREFIX = /^(?:[-*•#>]+\s+|\d{1,2}[.)]\s+|(?:title|tag|category)s?\s*[:：]\s*)+/iu

const QUOTES = /^["'“”„‟«»‹›‘’`*_]+|["'“”„‟«»‹›‘’`*_]+$/gu

/** Markdown emphasis within a line. */
const BOLD = /\*\*(?=\S)(.+?)\*\*/gu

/** Contents of a code block; its closing fence may be missing. */
const FENCED = /```\w*\n([\s\S]*?)(?:```|$)/

/** Start of a JSON value with strings; `[New] Salt` is not one. */
const JSON_START = /^(?:\{|\[\s*["[{])/

/** An introduction such as `Here are three titles:`. */
const PREFACE = /[:：]\s*$/u

/** Maximum length of an answer and of a line that is parsed. */
const MOST_READ = 50_000
const LONGEST_LINE = 2000

/** Text that would be parsed as an HTML tag; `3 < 5` is not one. */
const TAG = /<[/!?a-z][^>]*>?/giu

/** One line of an answer as plain text: without HTML, list markers and surrounding quotes. */
export function cleanLine(line: string): string {
  const bare = plainText(line.slice(0, LONGEST_LINE)).replaceAll(TAG, '').replaceAll(BOLD, '$1').trim()
  return bare.replace(PREFIX, '').replaceAll(QUOTES, '').trim()
}

/** The items of an answer that is a list: its lines, or the strings of a JSON value; none if the JSON is truncated. */
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

/** The strings of a JSON value, even if text surrounds it. */
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
