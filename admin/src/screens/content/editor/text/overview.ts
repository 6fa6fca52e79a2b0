import type { Node } from '@tiptap/pm/model'
import { pageData } from '../../../../page-data.ts'

/** Words that are read in a minute, as in WordPress. */
const READING_SPEED = 189

export interface Counts {
  readonly words: number
  readonly characters: number
  /** At least 1, unless there are no words. */
  readonly minutes: number
}

const segmenter = new Intl.Segmenter(pageData.locale.language, { granularity: 'word' })

/** Counts the text of the document. HTML blocks are not counted. */
export function countsOf(doc: Node): Counts {
  const text = doc.textBetween(0, doc.content.size, '\n')
  let words = 0
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) words++
  return { words, characters: [...text.replaceAll('\n', '')].length, minutes: Math.ceil(words / READING_SPEED) }
}

export interface OutlineHeading {
  readonly level: number
  readonly text: string
  /** Position before the heading. */
  readonly pos: number
  /** Whether a level before it is missing, which confuses readers of the outline. */
  readonly isSkipping: boolean
}

/** The headings of the document. The title of the post is the heading of level 1. */
export function outlineOf(doc: Node): readonly OutlineHeading[] {
  const headings: OutlineHeading[] = []
  doc.descendants((node, pos) => {
    if (node.type.name === 'heading') {
      const level = Number(node.attrs.level)
      const isSkipping = level < 2 || level > (headings.at(-1)?.level ?? 1) + 1
      headings.push({ level, text: node.textContent, pos, isSkipping })
    }
    return !node.isTextblock
  })
  return headings
}
