import { mergeAttributes, Node } from '@tiptap/core'
import { Blockquote } from '@tiptap/extension-blockquote'

/** The source of a quote. */
const Citation = Node.create({
  name: 'citation',
  content: 'inline*',
  defining: true,
  isolating: true,
  parseHTML: () => [{ tag: 'cite', context: 'blockquote/|pullquote/' }],
  renderHTML: ({ HTMLAttributes }) => ['cite', HTMLAttributes, 0],
})

const Pullquote = Node.create({
  name: 'pullquote',
  group: 'block',
  content: 'paragraph+ citation?',
  defining: true,
  isolating: true,
  parseHTML: () => [{ tag: 'figure.wp-block-pullquote', contentElement: 'blockquote', priority: 60 }],
  renderHTML: ({ HTMLAttributes }) => [
    'figure',
    mergeAttributes({ class: 'wp-block-pullquote' }, HTMLAttributes),
    ['blockquote', 0],
  ],
})

export const quotes = [Blockquote.extend({ content: 'block+ citation?' }), Pullquote, Citation]
