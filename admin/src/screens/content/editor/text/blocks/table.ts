import { mergeAttributes, Node } from '@tiptap/core'

/** A table with its caption, in the block editor's markup; tables of classic posts have no figure. */
export const TableFigure = Node.create({
  name: 'tableFigure',
  group: 'block',
  content: 'table caption?',
  draggable: true,
  isolating: true,
  parseHTML: () => [{ tag: 'figure.wp-block-table', priority: 60 }],
  renderHTML: ({ HTMLAttributes }) => ['figure', mergeAttributes({ class: 'wp-block-table' }, HTMLAttributes), 0],
})
