import sanitizeHtml from 'sanitize-html'
import { escapeHtml } from '../../../core/http/escape-html.ts'
import { createHtmlParser } from '../../text/html-parser.ts'
import type { ShortcodeHandler } from './types.ts'

/** Markup of a caption that was written as an attribute. */
const INLINE: sanitizeHtml.IOptions = {
  allowedTags: ['a', 'abbr', 'b', 'br', 'cite', 'code', 'em', 'i', 'q', 's', 'small', 'strong', 'sub', 'sup'],
  allowedAttributes: { a: ['href', 'title', 'rel', 'target'] },
}

/**
 * `[caption id="attachment_6" align="alignright" width="300"]<img> The text[/caption]`, and the older form with the
 * text in `caption="…"`, as WordPress's HTML5 figure (`img_caption_shortcode`).
 */
export const renderCaption: ShortcodeHandler = ({ attributes, content }) => {
  const inner = content ?? ''
  const older = attributes.caption
  const split = older === undefined ? afterImage(inner) : inner.length
  const caption = older === undefined ? inner.slice(split).trim() : sanitizeHtml(older, INLINE)
  const width = Number.parseInt(attributes.width ?? '', 10)
  if (caption === '' || !(width > 0)) return inner
  const id = (attributes.id ?? '').replace(/[^\w-]/g, '')
  const captionId = `caption-${id.replaceAll('_', '-')}`
  const classes = ['wp-caption', attributes.align ?? 'alignnone', attributes.class ?? ''].filter((name) => name !== '')
  const named = id === '' ? '' : `id="${id}" aria-describedby="${captionId}" `
  const figcaption = `<figcaption ${id === '' ? '' : `id="${captionId}" `}class="wp-caption-text">${caption}</figcaption>`
  const figure = `<figure ${named}style="width: ${width}px" class="${escapeHtml(classes.join(' '))}">`
  return `${figure}${inner.slice(0, split).trim()}${figcaption}</figure>`
}

/** Offset after the first image and the link around it; 0 if there is none. */
function afterImage(html: string): number {
  let end = 0
  let link = 0
  let isDone = false
  const parser = createHtmlParser({
    onopentag(name) {
      if (isDone) return
      if (name === 'a') link++
      if (name !== 'img') return
      end = parser.endIndex + 1
      if (link === 0) isDone = true
    },
    onclosetag(name) {
      if (isDone || name !== 'a') return
      link--
      if (end === 0) return
      end = parser.endIndex + 1
      isDone = true
    },
    ontext(text) {
      // Text within the link belongs to the caption.
      if (end > 0 && text.trim() !== '') isDone = true
    },
  })
  parser.end(html)
  return end
}
