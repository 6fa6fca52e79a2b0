import type { NodeViewRenderer } from '@tiptap/core'
import { DOMSerializer } from '@tiptap/pm/model'

/** A view of a block in which only its text can be edited, not the elements around it. */
export const frozenView: NodeViewRenderer = ({ node }) => {
  const render = node.type.spec.toDOM
  if (!render) throw new Error(`${node.type.name} has no HTML.`)
  const { dom, contentDOM } = DOMSerializer.renderSpec(document, render(node))
  if (dom instanceof HTMLElement) freeze(dom, contentDOM ?? null)
  return { dom, contentDOM: contentDOM ?? null }
}

function freeze(element: HTMLElement, content: HTMLElement | null): void {
  for (const child of element.children) {
    if (!(child instanceof HTMLElement) || child === content) continue
    if (content && child.contains(content)) freeze(child, content)
    else child.contentEditable = 'false'
  }
}
