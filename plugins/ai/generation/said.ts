import { plainText } from 'pentad'

/** What models put in front of what they were asked for: numbers and marks of lists and headings, `Title:`. */
const PREFIX = /^(?:[-*•#>]+\s+|\d{1,2}[.)]\s+|(?:title|tag|category)s?\s*[:：]\s*)+/iu

const QUOTES = /^["'“”„‟«»‹›‘’`*_]+|["'“”„‟«»‹›‘’`*_]+$/gu

/** Lines of a code block's fence. */
const FENCE = /^\s*```\w*\s*$/gm

/** What would be a tag where somebody takes the text for HTML; `3 < 5` is none. */
const TAG = /<[/!?a-z][^>]*>?/giu

/** One line as a model says it, as plain text: without markup, escaped or not, list marks, quotes around it. */
export function saidLine(line: string): string {
  return plainText(line).replaceAll(TAG, '').trim().replace(PREFIX, '').replaceAll(QUOTES, '').trim()
}

/** The lines of an answer that was to be a list: its lines, or the strings of a JSON value. */
export function saidLines(answer: string): string[] {
  const text = answer.replaceAll(FENCE, '').trim()
  return (strings(text) ?? text.split('\n')).map(saidLine).filter((line) => line !== '')
}

function strings(text: string): string[] | undefined {
  if (!/^[[{]/.test(text)) return undefined
  const found: string[] = []
  try {
    JSON.parse(text, (_key, value: unknown) => {
      if (typeof value === 'string') found.push(value)
    })
    return found
  } catch {
    return undefined
  }
}
