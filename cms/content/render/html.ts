import { createHtmlParser, parseInChunks } from '../../text/html-parser.ts'

/** One opening tag in a text. */
export interface Tag {
  readonly name: string
  /** Entities decoded. */
  readonly attributes: Readonly<Record<string, string>>
  /** Offset of its `<`. */
  readonly start: number
  /** Offset after its `>`. */
  readonly end: number
}

/** Every opening tag, in order; those within comments, scripts and styles are none. */
export function openingTags(html: string): Tag[] {
  const { parser, tags } = createTagParser()
  parser.end(html)
  return tags
}

/** Like `openingTags`, for a text that may be large: yields to the event loop. */
export async function openingTagsInPieces(html: string): Promise<Tag[]> {
  const { parser, tags } = createTagParser()
  await parseInChunks(parser, html)
  return tags
}

function createTagParser() {
  const tags: Tag[] = []
  const parser = createHtmlParser({
    onopentag(name, attributes, isImplied) {
      if (!isImplied) tags.push({ name, attributes, start: parser.startIndex, end: parser.endIndex + 1 })
    },
  })
  return { parser, tags }
}

/**
 * The visible text: without tags, scripts and styles; entities are not decoded.
 * @param isEnough called with each part of it, in order; `true` stops soon
 */
export async function withoutTags(html: string, isEnough: (part: string) => boolean): Promise<string> {
  let text = ''
  let hidden = 0
  let isDone = false
  const parser = createHtmlParser(
    {
      onopentagname(name) {
        if (name === 'script' || name === 'style') hidden++
      },
      onclosetag(name) {
        if (name === 'script' || name === 'style') hidden--
      },
      ontext(part) {
        if (hidden > 0) return
        text += part
        isDone ||= isEnough(part)
      },
    },
    { decodeEntities: false },
  )
  await parseInChunks(parser, html, () => isDone)
  return text
}
