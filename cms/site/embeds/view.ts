import { escapeHtml } from '../../../core/http/escape-html.ts'
import { textOf } from './response-html.ts'
import type { Embed } from './types.ts'

/** Nouns for the button of a preview, by oEmbed type. */
const NOUNS: Readonly<Record<string, string>> = { video: 'video', photo: 'image' }

/** A link instead of an embed: WordPress's `maybe_make_link`. */
export function linkTo(url: string): string {
  return `<a href="${escapeHtml(url)}">${shortcodeSafe(escapeHtml(url))}</a>`
}

/**
 * The preview of an embed, which needs no request to the provider: title, author and a button that `preview.browser.js`
 * shows and that loads the embed. The embed is text in an attribute of a `<template>`, so nothing loads it early, and
 * authors without `unfiltered_html` cannot write one. Inline elements only, so that it can be inside a paragraph.
 */
export function previewOf({ url, answer }: Embed, html: string): string {
  const { hostname } = new URL(url)
  const provider = textOf(answer, 'provider_name') || hostname.replace(/^www\./, '')
  const author = textOf(answer, 'author_name')
  const title = textOf(answer, 'title') || url
  const type = textOf(answer, 'type')
  const noun = NOUNS[type] ?? 'content'
  const attribute = (value: string) => shortcodeSafe(escapeHtml(value).replaceAll('\n', '&#10;'))
  return [
    `<span class="wp-embed-preview" role="group" aria-label="${text(`Embedded ${noun} from ${provider}`)}">`,
    `<a class="wp-embed-preview-title" href="${attribute(url)}">${text(title)}</a>`,
    `<span class="wp-embed-preview-source">${text(author === '' ? provider : `${author} · ${provider}`)}</span>`,
    `<button class="wp-embed-preview-button" type="button" hidden>`,
    text(type === 'video' ? `Play video from ${provider}` : `Load ${noun} from ${provider}`),
    '</button>',
    `<template data-html="${attribute(html)}"></template>`,
    '</span>',
  ].join('')
}

/** Plain text of a provider, which some encode. As in WordPress's `esc_html`, existing entities are kept. */
function text(words: string): string {
  const escaped = escapeHtml(words.replaceAll(/\s+/g, ' '))
  return shortcodeSafe(escaped.replaceAll(/&amp;(#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,30});/gi, '&$1;'))
}

/** Escaped HTML in which no shortcode can start. */
function shortcodeSafe(escaped: string): string {
  return escaped.replaceAll('[', '&#91;').replaceAll(']', '&#93;')
}
