import type { Editor } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { NodeSelection, TextSelection } from '@tiptap/pm/state'
import { blockDepth } from './insert.ts'

export interface ActiveBlock {
  readonly node: Node
  /** Position before it. */
  readonly pos: number
}

/** The innermost block at the cursor whose type passes, or that is selected. */
export function activeBlock(editor: Editor, passes: (type: string) => boolean): ActiveBlock | undefined {
  return activeBlocks(editor, passes)[0]
}

/** The selected block and the blocks around the cursor whose type passes, innermost first. */
export function activeBlocks({ state }: Editor, passes: (type: string) => boolean): readonly ActiveBlock[] {
  const { selection } = state
  const blocks: ActiveBlock[] = []
  if (selection instanceof NodeSelection) blocks.push({ node: selection.node, pos: selection.from })
  const { $from } = selection
  for (let depth = $from.depth; depth > 0; depth--) blocks.push({ node: $from.node(depth), pos: $from.before(depth) })
  return blocks.filter(({ node }) => passes(node.type.name))
}

export function setAttributes({ view, state }: Editor, { node, pos }: ActiveBlock, attrs: Node['attrs']): void {
  view.dispatch(state.tr.setNodeMarkup(pos, undefined, { ...node.attrs, ...attrs }))
  view.focus()
}

/** Adds an empty caption or citation at the end of the block, with the cursor in it. */
export function appendText(editor: Editor, { node, pos }: ActiveBlock, type: 'caption' | 'citation'): void {
  const added = editor.schema.nodes[type]?.create(type === 'caption' ? { kept: captionClass(node) } : null)
  if (!added) return
  const end = pos + node.nodeSize - 1
  const tr = editor.state.tr.insert(end, added)
  editor.view.dispatch(tr.setSelection(TextSelection.create(tr.doc, end + 1)).scrollIntoView())
  editor.view.focus()
}

function captionClass({ type }: Node) {
  const isGallery = type.name === 'gallery'
  return { class: isGallery ? 'blocks-gallery-caption wp-element-caption' : 'wp-element-caption' }
}

/** Moves the current block before or after its neighbor. @returns whether there is one */
export function moveBlock({ state, view }: Editor, direction: -1 | 1): boolean {
  const { selection } = state
  const depth = selection instanceof NodeSelection ? selection.$from.depth + 1 : blockDepth(selection.$from)
  if (depth === 0) return false
  const parent = selection.$from.node(depth - 1)
  const index = selection.$from.index(depth - 1)
  const node = parent.maybeChild(index)
  const neighbor = parent.maybeChild(index + direction)
  const start = selection.$from.posAtIndex(index, depth - 1)
  if (!node || !neighbor) return false
  const target = direction < 0 ? start - neighbor.nodeSize : start + neighbor.nodeSize
  const tr = state.tr.delete(start, start + node.nodeSize).insert(target, node)
  if (selection instanceof NodeSelection) tr.setSelection(NodeSelection.create(tr.doc, target))
  else {
    const at = (pos: number) => Math.min(target + pos - start, target + node.nodeSize - 1)
    tr.setSelection(TextSelection.create(tr.doc, at(selection.anchor), at(selection.head)))
  }
  view.dispatch(tr.scrollIntoView())
  return true
}
