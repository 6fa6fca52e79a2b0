import { escapeHtml } from '../../../core/http/escape-html.ts'
import { textOf } from './answer-html.ts'
import type { Embed } from './types.ts'

/** What the button of a preview loads, by the type of the answer. */
const NOUNS: Readonly<Record<string, string>> = { video: 'video', photo: 'image' }

/** A link in the place of an embed: WordPress's `maybe_make_link`. */
export function linkTo(url: string): string {
  return `<a href="${escapeHtml(url)}">${shortcodeSafe(escapeHtml(url))}</a>`
}

/**
 * What of an embed needs nothing from its provider: title, author and a button, which `preview.browser.js` shows and which
 * puts the embed in this one's place. The embed is text in an attribute of a `<template>`, so nothing that reads the page
 * loads it, and no author without `unfiltered_html` can write one. Only inline elements, so that it may stand in a paragraph.
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

/** A text of a provider: plain, but some encode it. WordPress's `esc_html` leaves what is encoded, too. */
function text(words: string): string {
  const escaped = escapeHtml(words.replaceAll(/\s+/g, ' '))
  return shortcodeSafe(escaped.replaceAll(/&amp;(#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,30});/gi, '&$1;'))
}

/** Escaped HTML in which no shortcode begins. */
function shortcodeSafe(escaped: string): string {
  return escaped.replaceAll('[', '&#91;').replaceAll(']', '&#93;')
}
