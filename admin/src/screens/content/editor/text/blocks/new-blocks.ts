import type { JSONContent } from '@tiptap/core'
import { __ } from '../../../../../i18n.ts'
import type { MediaItem } from '../../../../media/media-item.ts'
import { nameOf } from '../../../../media/media-item.ts'
import { serializeAttributes } from '../block-comments.ts'
import { CAPTION } from './preserved.ts'

// New blocks in the markup that the `save` functions of WordPress's block library write: its editor checks it.

const comment = (name: string, attributes: Readonly<Record<string, unknown>>) =>
  `${name} ${serializeAttributes(attributes)}`
const text = (value: string): JSONContent[] => (value === '' ? [] : [{ type: 'text', text: value }])
const paragraph: JSONContent = { type: 'paragraph' }

export const heading = (level: 2 | 3 | 4): JSONContent => ({ type: 'heading', attrs: { level } })

export const list = (type: 'bulletList' | 'orderedList'): JSONContent => ({
  type,
  content: [{ type: 'listItem', content: [paragraph] }],
})

export const quote: JSONContent = { type: 'blockquote', content: [paragraph, { type: 'citation' }] }
export const pullquote: JSONContent = { type: 'pullquote', content: [paragraph, { type: 'citation' }] }
export const details: JSONContent = { type: 'details', content: [{ type: 'summary' }, paragraph] }
export const buttons: JSONContent = { type: 'buttons', content: [{ type: 'button' }] }
export const column: JSONContent = { type: 'column', content: [paragraph] }
export const columns: JSONContent = { type: 'columns', content: [column, column] }
export const code: JSONContent = { type: 'codeBlock' }
export const html: JSONContent = { type: 'htmlBlock' }
export const separator: JSONContent = { type: 'horizontalRule' }

export function table(): JSONContent {
  const row = (type: string): JSONContent => ({
    type: 'tableRow',
    content: [1, 2].map(() => ({ type, content: [paragraph] })),
  })
  return {
    type: 'tableFigure',
    attrs: { block: comment('table', { hasFixedLayout: true }), kept: { class: 'wp-block-table' } },
    content: [
      {
        type: 'table',
        attrs: { kept: { class: 'has-fixed-layout' } },
        content: [row('tableHeader'), row('tableCell'), row('tableCell')],
      },
    ],
  }
}

/** The size of a file that blocks show. */
export function fileOf({ id, source_url: full, media_details: { sizes } }: MediaItem) {
  return sizes?.large ? { id, sizeSlug: 'large', src: sizes.large.source_url } : { id, sizeSlug: 'full', src: full }
}

export function image(item: MediaItem): JSONContent {
  const { id, sizeSlug, src } = fileOf(item)
  return {
    type: 'figure',
    attrs: {
      block: comment('image', { id, sizeSlug, linkDestination: 'none' }),
      kept: { class: `wp-block-image size-${sizeSlug}` },
      image: { src, alt: item.alt_text, class: `wp-image-${id}` },
      caption: CAPTION,
    },
  }
}

export const gallery = (items: readonly MediaItem[]): JSONContent => ({
  type: 'gallery',
  attrs: {
    block: comment('gallery', { linkTo: 'none' }),
    kept: { class: 'wp-block-gallery has-nested-images columns-default is-cropped' },
  },
  content: items.map(image),
})

export const player = (name: 'audio' | 'video', { id, source_url: src }: MediaItem): JSONContent => ({
  type: name,
  attrs: { block: comment(name, { id }), kept: { class: `wp-block-${name}` }, media: { controls: '', src } },
})

export function file(item: MediaItem): JSONContent {
  const { id, source_url: href } = item
  const linkId = `wp-block-file--media-${uniqueId()}`
  return {
    type: 'file',
    attrs: {
      block: comment('file', { id, href }),
      kept: { class: 'wp-block-file' },
      link: { id: linkId, href },
      button: { href, class: 'wp-block-file__button wp-element-button', download: '', 'aria-describedby': linkId },
      buttonText: __('Download', 'pentad'),
    },
    content: text(nameOf(item)),
  }
}

/** `crypto.randomUUID` is only available over HTTPS. */
const uniqueId = () => crypto.getRandomValues(new Uint32Array(4)).join('-')

export function cover({ id, source_url: url }: MediaItem): JSONContent {
  const picture = document.createElement('img')
  for (const [name, value] of Object.entries({
    class: `wp-block-cover__image-background wp-image-${id}`,
    alt: '',
    src: url,
    'data-object-fit': 'cover',
  }))
    picture.setAttribute(name, value)
  const dim = '<span aria-hidden="true" class="wp-block-cover__background has-background-dim"></span>'
  return {
    type: 'cover',
    attrs: {
      block: comment('cover', { url, id, dimRatio: 50 }),
      kept: { class: 'wp-block-cover' },
      background: picture.outerHTML + dim,
    },
    content: [paragraph],
  }
}

/** What an oEmbed provider says about a URL; the fields that the block stores. */
export interface OembedResponse {
  readonly type?: string
  readonly provider_name?: string
  readonly html?: string
}

/** The ratios of width to height that have a class in WordPress (`ASPECT_RATIOS`), widest first. */
const RATIOS = [
  { ratio: 2.33, name: '21-9' },
  { ratio: 2, name: '18-9' },
  { ratio: 1.78, name: '16-9' },
  { ratio: 1.33, name: '4-3' },
  { ratio: 1, name: '1-1' },
  { ratio: 0.56, name: '9-16' },
  { ratio: 0.5, name: '1-2' },
]

/** The class for the proportions of the player; `undefined` if it has none, or a height of its own (`getClassNames`). */
function ratioClass(html = ''): string | undefined {
  const player = new DOMParser().parseFromString(html, 'text/html').querySelector('iframe')
  const ratio = Number((Number(player?.width) / Number(player?.height)).toFixed(2))
  const next = RATIOS.find((one) => ratio >= one.ratio)
  return next && ratio - next.ratio <= 0.1 ? `wp-embed-aspect-${next.name} wp-has-aspect-ratio` : undefined
}

/** The embed block of a URL, from what its provider says. */
export function embed(url: string, found: OembedResponse): JSONContent {
  const provider = (found.provider_name ?? '').toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const className = ratioClass(found.html)
  const names = [
    'wp-block-embed',
    ...(found.type ? [`is-type-${found.type}`] : []),
    ...(provider ? [`is-provider-${provider}`, `wp-block-embed-${provider}`] : []),
    ...(className ? [className] : []),
  ]
  const attributes = {
    url,
    ...(found.type ? { type: found.type } : {}),
    ...(provider ? { providerNameSlug: provider } : {}),
    responsive: true,
    ...(className ? { className } : {}),
  }
  return { type: 'embed', attrs: { block: comment('embed', attributes), kept: { class: names.join(' ') }, url } }
}
