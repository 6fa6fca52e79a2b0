import { countWords, createHtmlParser } from 'pentad'
import { HEADINGS, INLINE } from '../text/elements.ts'
import { createStructures, type Structure } from './structures.ts'

/** What stands between two headings: what an answer engine takes and quotes as one. */
export interface Passage {
  /** Above it; empty for what comes before the first. */
  readonly heading: string
  readonly text: string
  /** Words of the text. */
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
/** A shortcode that nobody has registered stands as it is: `[form id="7"]`. */
const SHORTCODE = /\[\/?[a-z][\w-]*(?:\s[^[\]<>]*)?\]/gi

/** Takes the HTML of a post to pieces. Headings without words are none. */
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
