import { createHtmlParser } from 'pentad'

/** An `<img>` in a text. */
export interface TextImage {
  /** Attachment ID from WordPress's class `wp-image-7`. */
  readonly attachmentId: number | undefined
  /** Trimmed `src`; may be empty, relative or invalid. */
  readonly src: string
  readonly alt: string
  readonly title: string
  readonly width: string | undefined
  readonly height: string | undefined
}

/** The images of a text, in order. */
export function readImages(html: string): TextImage[] {
  if (!/<img\b/i.test(html)) return []
  const images: TextImage[] = []
  const parser = createHtmlParser({
    onopentag(name, { src = '', alt = '', title = '', class: classes = '', width, height }) {
      if (name !== 'img') return
      const [, id] = /(?:^|\s)wp-image-(\d{1,9})(?:\s|$)/.exec(classes) ?? []
      const attachmentId = id === undefined ? undefined : Number(id)
      images.push({ attachmentId, src: src.trim(), alt, title, width, height })
    },
  })
  parser.end(html)
  return images
}
