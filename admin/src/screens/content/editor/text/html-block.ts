import { Extension, Node } from '@tiptap/core'

/** HTML that the visual editor can't display, preserved unchanged as one block. */
export const HTML_BLOCK_TAG = 'pentad-html'
export const BEFORE = 'data-comment-before'
export const AFTER = 'data-comment-after'

/** Attributes that the nodes handle themselves. */
const OWN = new Set([
  ...['src', 'alt', 'title', 'width', 'height', 'href', 'target', 'rel', 'start', 'type', 'colspan', 'rowspan'],
  ...['colwidth', BEFORE, AFTER],
])
const BLOCKS = [
  ...['paragraph', 'heading', 'blockquote', 'bulletList', 'orderedList', 'listItem', 'codeBlock', 'horizontalRule'],
  ...['image', 'figure', 'table', 'tableRow', 'tableCell', 'tableHeader'],
]

type Attributes = Readonly<Record<string, unknown>>

/**
 * Preserves block attributes that are not displayed: classes such as `aligncenter`, ids, other attributes, and the block
 * comments of WordPress's block editor.
 */
export const PreservedAttributes = Extension.create({
  name: 'preservedAttributes',
  addGlobalAttributes() {
    const comment = (name: string) => ({
      default: null,
      parseHTML: (element: HTMLElement) => element.getAttribute(name),
      renderHTML: (attributes: Attributes) => {
        const text = attributes[name === BEFORE ? 'commentBefore' : 'commentAfter']
        return typeof text === 'string' ? { [name]: text } : {}
      },
    })
    return [
      {
        types: BLOCKS,
        attributes: {
          kept: {
            default: null,
            parseHTML: preservedOf,
            renderHTML: ({ kept }: Attributes) => (isRecord(kept) ? kept : {}),
          },
          commentBefore: comment(BEFORE),
          commentAfter: comment(AFTER),
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
    }
  },
  parseHTML: () => [{ tag: HTML_BLOCK_TAG }],
  renderHTML: ({ HTMLAttributes }) => [HTML_BLOCK_TAG, HTMLAttributes],
})
