import { countWords, createHtmlParser } from 'pentad'
import { HEADINGS, INLINE } from '../text/elements.ts'
import { createStructures, type Structure } from './structures.ts'

/** The text between two headings, which answer engines quote as a unit. */
export interface Passage {
  /** Heading above the text; empty before the first heading. */
  readonly heading: string
  readonly text: string
  /** Number of words. */
  readonly words: number
  readonly firstParagraph: string
}

export interface Passages {
  readonly passages: readonly Passage[]
  readonly structures: readonly Structure[]
}

const HIDDEN = new Set(['script', 'style', 'template', 'textarea', 'select', 'svg', 'math', 'nav', 'form'])
/** Elements whose text is a paragraph. */
const PARAGRAPHS = new Set(['p', 'li', 'blockquote', 'td', 'dd', 'div'])
/** An unregistered shortcode is plain text: `[form id="7"]`. */
const SHORTCODE = /\[\/?[a-z][\w-]*(?:\s[^[\]<>]*)?\]/gi

/** Splits the HTML of a post into passages. Empty headings are ignored. */
export function readPassages(html: string): Passages {
  let passage = { heading: '', text: '', firstParagraph: '' }
  const passages = [passage]
  const structures = createStructures()
  let hidden = 0
  let heading: string | undefined
  let paragraph = ''

  function endParagraph(): void {
    passage.firstParagraph ||= tidy(paragraph)
    paragraph = ''
  }
  function endHeading(): void {
    if (heading?.trim()) {
      passage = { heading: tidy(heading), text: '', firstParagraph: '' }
      passages.push(passage)
    }
    heading = undefined
  }
  function add(text: string): void {
    structures.text(text)
    if (heading !== undefined) {
      heading += text
      return
    }
    passage.text += text
    paragraph += text
  }

  const parser = createHtmlParser({
    onopentag(name, attributes) {
      if (HIDDEN.has(name)) hidden++
      if (hidden > 0) return
      structures.open(name, attributes)
      if (!INLINE.has(name)) add(' ')
      if (HEADINGS.has(name)) {
        endParagraph()
        heading = ''
      }
    },
    onclosetag(name) {
      if (HIDDEN.has(name)) hidden--
      else if (hidden === 0) {
        if (HEADINGS.has(name)) endHeading()
        if (PARAGRAPHS.has(name)) endParagraph()
        if (!INLINE.has(name)) add(' ')
        structures.close(name)
      }
    },
    ontext(text) {
      if (hidden === 0) add(text)
    },
  })
  parser.end(html.replace(SHORTCODE, ' '))
  endParagraph()

  const read = passages.map(({ text, ...rest }) => ({ ...rest, text: tidy(text), words: countWords(text) }))
  return { passages: read, structures: structures.list() }
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
