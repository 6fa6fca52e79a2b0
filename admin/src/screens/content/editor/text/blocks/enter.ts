import { type Editor, Extension } from '@tiptap/core'
import type { Node, ResolvedPos } from '@tiptap/pm/model'
import { TextSelection, type Transaction } from '@tiptap/pm/state'
import { blockDepth } from './insert.ts'

/** Texts of one line, after which a paragraph follows. */
const SINGLE = new Set(['figure', 'audio', 'video', 'embed', 'file', 'caption', 'citation'])
/** Blocks that an empty paragraph at their end leaves. */
const LEFT = new Set(['blockquote', 'blockGroup', 'details'])
/** Blocks whose text has line breaks instead of paragraphs. */
const BROKEN = new Set(['tableCell', 'tableHeader', 'pullquote'])

/** What `Enter` does in the blocks that contain text, as in WordPress's editor. */
export const EnterKey = Extension.create({
  name: 'enterKey',
  priority: 1000,
  addKeyboardShortcuts() {
    return { Enter: ({ editor }) => onEnter(editor) }
  },
})

function onEnter(editor: Editor): boolean {
  const { state, view } = editor
  const { $from } = state.selection
  const text = $from.parent
  if (!(state.selection instanceof TextSelection)) return false
  const tr = state.tr.deleteSelection()
  const apply = (changed: Transaction) => {
    view.dispatch(changed.scrollIntoView())
    return true
  }

  if (SINGLE.has(text.type.name)) return apply(continueAfter(tr, blockDepth(tr.selection.$from)))
  // To the hidden text, instead of a second summary.
  if (text.type.name === 'summary') return editor.commands.setTextSelection($from.after() + 1)
  if (text.type.name === 'button')
    return apply(text.content.size === 0 ? leave(tr) : insertAfter(tr, text.type.create()))
  const around = $from.depth > 0 ? $from.node(-1).type.name : ''
  if (BROKEN.has(around) && text.type.name === 'paragraph') return editor.commands.setHardBreak()
  if (LEFT.has(around) && text.content.size === 0 && isLast($from)) return apply(leave(tr))
  // The next paragraph of a quote; ProseMirror would add a citation.
  if (around === 'blockquote' && isAtEnd(tr.selection.$from)) return apply(insertAfter(tr, paragraph(tr)))
  return false
}

const paragraph = (tr: Transaction): Node => {
  const node = tr.doc.type.schema.nodes.paragraph?.create()
  if (!node) throw new Error('The schema has no paragraphs.')
  return node
}

const isAtEnd = ({ parent, parentOffset }: ResolvedPos) => parentOffset === parent.content.size

/** Whether the text is the last of its block, apart from a citation; of a group, not the only one. */
function isLast($pos: ResolvedPos): boolean {
  const [block, index] = [$pos.node(-1), $pos.index(-1)]
  const next = block.maybeChild(index + 1)
  const first = { blockGroup: 1, details: 2 }[block.type.name] ?? 0
  return (next === null || next.type.name === 'citation') && index >= first
}

/** Adds a block after that of the cursor, and moves the cursor into it. */
function insertAfter(tr: Transaction, node: Node, depth = tr.selection.$from.depth): Transaction {
  const at = tr.selection.$from.after(depth)
  return tr.insert(at, node).setSelection(TextSelection.create(tr.doc, at + 1))
}

/** Moves the cursor to the empty paragraph after a block; adds one if there is none. */
function continueAfter(tr: Transaction, depth: number): Transaction {
  const after = tr.doc.resolve(tr.selection.$from.after(depth)).nodeAfter
  const isThere = after?.type.name === 'paragraph' && after.content.size === 0
  if (!isThere) return insertAfter(tr, paragraph(tr), depth)
  return tr.setSelection(TextSelection.create(tr.doc, tr.selection.$from.after(depth) + 1))
}

/** Removes the empty text at the cursor, and continues after the block around it. An empty block becomes a paragraph. */
function leave(tr: Transaction): Transaction {
  const { $from } = tr.selection
  const depth = $from.depth - 1
  const [block, start, end] = [$from.node(depth), $from.before(depth), $from.after(depth)]
  if (block.textContent === '' && $from.index(depth) === 0) {
    tr.replaceWith(start, end, paragraph(tr))
    return tr.setSelection(TextSelection.create(tr.doc, start + 1))
  }
  const continued = continueAfter(tr, depth)
  if ($from.index(depth) > 0) continued.delete($from.before(), $from.after())
  return continued
}
