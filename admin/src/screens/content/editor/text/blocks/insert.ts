import type { Editor, JSONContent } from '@tiptap/core'
import { Fragment, type Node, type ResolvedPos } from '@tiptap/pm/model'
import { NodeSelection, TextSelection } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'

/** Blocks that contain any others. */
const CONTAINERS = new Set(['doc', 'column', 'blockGroup', 'details', 'cover'])

/** Whether a node contains any blocks. */
export const isContainer = ({ type }: Node): boolean => CONTAINERS.has(type.name)

/**
 * Depth of the innermost block that can be moved, replaced, or followed by another; 0 if none.
 * @param takes whether a node can contain such blocks
 */
export function blockDepth($pos: ResolvedPos, takes = isContainer): number {
  for (let depth = $pos.depth; depth > 0; depth--) if (takes($pos.node(depth - 1))) return depth
  return 0
}

/** Whether it is in an empty paragraph that another block can replace; one in a list or table can't be. */
export function isEmptyLine($pos: ResolvedPos, takes = isContainer): boolean {
  const { parent, depth } = $pos
  return depth > 0 && parent.type.name === 'paragraph' && parent.childCount === 0 && takes($pos.node(depth - 1))
}

/**
 * Inserts a block in place of the empty paragraph at the cursor, or after the current block, and moves the cursor into it.
 * @param takes whether a node can contain these blocks
 */
export function insertBlocks(editor: Editor, blocks: readonly JSONContent[], takes = isContainer): void {
  const { state, view } = editor
  const { $from, to } = state.selection
  const depth = blockDepth($from, takes)
  const isEmpty = isEmptyLine($from, takes)
  const start = depth === 0 ? to : isEmpty ? $from.before(depth) : $from.after(depth)
  const end = isEmpty ? $from.after(depth) : start
  const nodes = blocks.map((block) => state.schema.nodeFromJSON(block))
  const last = nodes.at(-1)
  const isAtEnd = end === (depth <= 1 ? state.doc.content.size : $from.end(depth - 1))
  // Writing continues after it.
  const paragraph = isAtEnd && last && !last.isTextblock ? state.schema.nodes.paragraph?.create() : undefined
  const fragment = Fragment.from(paragraph ? [...nodes, paragraph] : nodes)
  const tr = state.tr.replaceWith(start, end, fragment)
  const first = nodes[0]
  const $start = tr.doc.resolve(start)
  if (first?.isAtom) tr.setSelection(NodeSelection.create(tr.doc, start))
  else tr.setSelection(TextSelection.near($start))
  view.dispatch(tr.scrollIntoView())
  view.focus()
}

/**
 * Moves the cursor from a selected block without text, such as a separator, to an empty line below it.
 * @returns whether such a block was selected
 */
export function leaveBlock(view: EditorView): boolean {
  const { selection, schema, tr } = view.state
  if (!(selection instanceof NodeSelection) || !selection.node.isAtom || !isContainer(selection.$to.parent))
    return false
  const { to, $to } = selection
  const paragraph = schema.nodes.paragraph?.create()
  if (paragraph && !$to.nodeAfter?.eq(paragraph)) tr.insert(to, paragraph)
  view.dispatch(tr.setSelection(TextSelection.create(tr.doc, to + 1)).scrollIntoView())
  return true
}
