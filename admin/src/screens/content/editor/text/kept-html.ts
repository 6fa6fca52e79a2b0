import { Extension, Node } from '@tiptap/core'

/** What the text editor can't show stands in it as one piece, with its HTML as it was. */
export const KEPT_TAG = 'pentad-html'
export const BEFORE = 'data-kept-before'
export const AFTER = 'data-kept-after'

/** Attributes that the nodes themselves know. */
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
 * Keeps what belongs to a block and is not shown: classes such as `aligncenter`, ids and other attributes, and the
 * comments around it that the block editor of WordPress writes.
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

/** HTML in one piece: embedded frames, scripts, unknown blocks. How it looks, and how it is edited, its view says. */
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
