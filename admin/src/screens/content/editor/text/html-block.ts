import { Extension, Node } from '@tiptap/core'
import { BLOCK, BLOCK_TYPES } from './block-comments.ts'

/** HTML that the visual editor can't display, preserved unchanged as one block. */
const HTML_BLOCK_TAG = 'pentad-html'

/** Attributes that the nodes handle themselves. */
const OWN = new Set([
  ...['src', 'alt', 'title', 'width', 'height', 'href', 'target', 'rel', 'start', 'type', 'colspan', 'rowspan'],
  ...['colwidth', BLOCK],
])
const BLOCKS = [
  ...Object.keys(BLOCK_TYPES),
  ...['image', 'table', 'tableRow', 'tableCell', 'tableHeader', 'summary', 'caption', 'citation'],
]

/** Position among the blocks of the opened content, by which an unchanged block is stored as it was. */
const ORIGIN = { default: null, keepOnSplit: false, rendered: false, parseHTML: () => null }

type Attributes = Readonly<Record<string, unknown>>

/**
 * Preserves block attributes that are not displayed: classes such as `aligncenter`, ids, other attributes, and the block
 * comments of WordPress's block editor.
 */
export const PreservedAttributes = Extension.create({
  name: 'preservedAttributes',
  addGlobalAttributes() {
    return [
      {
        types: BLOCKS,
        attributes: {
          kept: {
            default: null,
            parseHTML: preservedOf,
            renderHTML: ({ kept }: Attributes) => (isRecord(kept) ? kept : {}),
          },
          /** The comment of the block editor after `wp:`; empty for stored HTML without one, `null` for a new block. */
          block: {
            default: null,
            parseHTML: (element: HTMLElement) => element.getAttribute(BLOCK),
            renderHTML: ({ block }: Attributes) =>
              typeof block === 'string' && block !== '' ? { [BLOCK]: block } : {},
          },
          /** Which block of the opened content this was; see `open-content.ts`. */
          origin: ORIGIN,
        },
      },
    ]
  },
})

function preservedOf(element: HTMLElement): Attributes | null {
  const kept = [...element.attributes].filter(({ name }) => !OWN.has(name) && !name.startsWith('on'))
  return kept.length === 0 ? null : Object.fromEntries(kept.map(({ name, value }) => [name, value]))
}

function isRecord(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null
}

/** An HTML block: embedded frames, scripts, unknown blocks. Its view displays and edits it. */
export const HtmlBlock = Node.create({
  name: 'htmlBlock',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes() {
    return {
      html: {
        default: '',
        parseHTML: (element) => element.getAttribute('data-html') ?? '',
        renderHTML: ({ html }: Attributes) => ({ 'data-html': String(html) }),
      },
      origin: ORIGIN,
    }
  },
  parseHTML: () => [{ tag: HTML_BLOCK_TAG }],
  renderHTML: ({ HTMLAttributes }) => [HTML_BLOCK_TAG, HTMLAttributes],
})
