import { Extension, Node } from '@tiptap/core'

/** HTML that the visual editor can't display, preserved unchanged as one block. */
export const KEPT_TAG = 'pentad-html'
export const BEFORE = 'data-kept-before'
export const AFTER = 'data-kept-after'

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
export const KeptAttributes = Extension.create({
  name: 'keptAttributes',
  addGlobalAttributes() {
    const comment = (name: string) => ({
      default: null,
      parseHTML: (element: HTMLElement) => element.getAttribute(name),
      renderHTML: (attributes: Attributes) => {
        const text = attributes[name === BEFORE ? 'keptBefore' : 'keptAfter']
        return typeof text === 'string' ? { [name]: text } : {}
      },
    })
    return [
      {
        types: BLOCKS,
        attributes: {
          kept: {
            default: null,
            parseHTML: keptOf,
            renderHTML: ({ kept }: Attributes) => (isRecord(kept) ? kept : {}),
          },
          keptBefore: comment(BEFORE),
          keptAfter: comment(AFTER),
        },
      },
    ]
  },
})

function keptOf(element: HTMLElement): Attributes | null {
  const kept = [...element.attributes].filter(({ name }) => !OWN.has(name) && !name.startsWith('on'))
  return kept.length === 0 ? null : Object.fromEntries(kept.map(({ name, value }) => [name, value]))
}

function isRecord(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null
}

/** An HTML block: embedded frames, scripts, unknown blocks. Its view displays and edits it. */
export const KeptHtml = Node.create({
  name: 'keptHtml',
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
  parseHTML: () => [{ tag: KEPT_TAG }],
  renderHTML: ({ HTMLAttributes }) => [KEPT_TAG, HTMLAttributes],
})
