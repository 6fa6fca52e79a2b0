import { mergeAttributes, Node } from '@tiptap/core'
import { elementAttribute } from './preserved.ts'

interface Container {
  readonly name: string
  readonly className: string
  readonly content: string
  /** Blocks that stand only in their container have none. */
  readonly group?: 'block'
}

/** A block that is a `div` around others. */
function container({ name, className, content, group }: Container) {
  return Node.create({
    name,
    ...(group ? { group } : {}),
    content,
    defining: true,
    isolating: true,
    // Text between columns or buttons would become another one.
    allowGapCursor: content === 'block+',
    parseHTML: () => [{ tag: `div.${className}` }],
    renderHTML: ({ HTMLAttributes }) => ['div', mergeAttributes({ class: className }, HTMLAttributes), 0],
  })
}

/** A link that looks like a button; its text is edited in place. */
const Button = Node.create({
  name: 'button',
  content: 'inline*',
  marks: 'bold italic strike code underline',
  isolating: true,
  addAttributes: () => ({
    link: elementAttribute((block) => block.querySelector(':scope > a'), {
      class: 'wp-block-button__link wp-element-button',
    }),
  }),
  parseHTML: () => [
    {
      tag: 'div.wp-block-button',
      contentElement: (block: globalThis.Node) =>
        (block instanceof Element && block.querySelector<HTMLElement>(':scope > a')) || document.createElement('a'),
    },
  ],
  renderHTML: ({ node, HTMLAttributes }) => [
    'div',
    mergeAttributes({ class: 'wp-block-button' }, HTMLAttributes),
    ['a', node.attrs.link, 0],
  ],
})

const Summary = Node.create({
  name: 'summary',
  content: 'inline*',
  marks: 'bold italic strike code underline',
  defining: true,
  isolating: true,
  parseHTML: () => [{ tag: 'summary' }],
  renderHTML: ({ HTMLAttributes }) => ['summary', HTMLAttributes, 0],
})

const Details = Node.create({
  name: 'details',
  group: 'block',
  content: 'summary block+',
  defining: true,
  isolating: true,
  parseHTML: () => [{ tag: 'details' }],
  renderHTML: ({ HTMLAttributes }) => ['details', mergeAttributes({ class: 'wp-block-details' }, HTMLAttributes), 0],
  // Always open: what can't be seen can't be edited.
  addNodeView: () => () => {
    const dom = document.createElement('div')
    dom.className = 'wp-block-details'
    return { dom, contentDOM: dom }
  },
})

export const containers = [
  container({ name: 'columns', className: 'wp-block-columns', content: 'column+', group: 'block' }),
  container({ name: 'column', className: 'wp-block-column', content: 'block+' }),
  container({ name: 'blockGroup', className: 'wp-block-group', content: 'block+', group: 'block' }),
  container({ name: 'buttons', className: 'wp-block-buttons', content: 'button+', group: 'block' }),
  Button,
  Summary,
  Details,
]
