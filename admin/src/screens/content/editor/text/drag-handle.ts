import { Extension } from '@tiptap/core'
import { NodeSelection, Plugin } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { moveBlock } from './blocks/active.ts'

/** Blocks are moved with a handle next to the one under the pointer, and with WordPress's keyboard shortcuts. */
export const DragHandle = Extension.create({
  name: 'dragHandle',
  addKeyboardShortcuts: () => ({
    'Mod-Shift-Alt-t': ({ editor }) => moveBlock(editor, -1),
    'Mod-Shift-Alt-y': ({ editor }) => moveBlock(editor, 1),
  }),
  addProseMirrorPlugins: () => [
    new Plugin({
      view: (view) => {
        const handle = createHandle(view)
        return {
          update: (_view, before) => {
            if (before.doc !== view.state.doc) handle.hide()
          },
          destroy: handle.remove,
        }
      },
    }),
  ],
})

function createHandle(view: EditorView) {
  const handle = document.createElement('div')
  handle.className = 'drag-handle'
  handle.draggable = true
  // For the mouse only: the toolbar's buttons do the same.
  handle.ariaHidden = 'true'
  handle.textContent = '⠿'
  let block: HTMLElement | undefined

  function showAt({ clientX, clientY }: MouseEvent): void {
    const parent = view.dom.parentElement
    const found = parent && blockAt(view, clientX, clientY)
    if (!found) return
    block = found
    if (handle.parentElement !== parent) parent.append(handle)
    handle.style.insetBlockStart = `${found.getBoundingClientRect().top - parent.getBoundingClientRect().top}px`
    handle.dataset.shown = ''
  }
  function drag(event: DragEvent): void {
    const { dataTransfer } = event
    const pos = block?.isConnected ? positionOf(view, block) : undefined
    if (pos === undefined || !dataTransfer || !block) {
      event.preventDefault()
      return
    }
    const node = NodeSelection.create(view.state.doc, pos)
    view.dispatch(view.state.tr.setSelection(node))
    const slice = node.content()
    const { dom, text } = view.serializeForClipboard(slice)
    dataTransfer.setData('text/html', dom.innerHTML)
    dataTransfer.setData('text/plain', text)
    dataTransfer.effectAllowed = 'copyMove'
    dataTransfer.setDragImage(block, 0, 0)
    // The node itself is dropped, with its stored form, not what its HTML says, and removed from where it was: browsers can change
    // the selection during a drag, and a gallery would be copied.
    const dragging = { slice, move: true, node }
    view.dragging = dragging
  }
  const end = () => {
    view.dragging = null
  }
  view.dom.addEventListener('mousemove', showAt)
  handle.addEventListener('dragstart', drag)
  handle.addEventListener('dragend', end)
  return {
    hide: () => delete handle.dataset.shown,
    remove: () => {
      view.dom.removeEventListener('mousemove', showAt)
      handle.remove()
    },
  }
}

/** The top-level block at the height of the pointer. */
function blockAt({ dom }: EditorView, x: number, y: number): HTMLElement | undefined {
  const { left, right } = dom.getBoundingClientRect()
  // The pointer may be in the padding.
  let element = document.elementFromPoint(Math.min(Math.max(x, left + 24), right - 24), y)
  while (element && element.parentElement !== dom) element = element.parentElement
  return element instanceof HTMLElement ? element : undefined
}

/** Position before the block of an element of the editor. */
function positionOf(view: EditorView, element: HTMLElement): number | undefined {
  const $pos = view.state.doc.resolve(view.posAtDOM(element, 0))
  const pos = $pos.depth > 0 ? $pos.before(1) : $pos.pos
  return view.nodeDOM(pos) === element ? pos : undefined
}
