import type { Editor } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { NodeSelection, TextSelection } from '@tiptap/pm/state'
import type { MediaItem } from '../../../media/media-item.ts'
import { changed, ownClassesOf, withClasses, withComment } from './blocks/attributes.ts'
import { fileOf } from './blocks/new-blocks.ts'
import { classicImage } from './insert-images.ts'

const isImage = ({ type }: Node) => type.name === 'figure' || type.name === 'image'

/** The alternative text of an image or image block. */
export function altOf({ type, attrs }: Node): string {
  return String((type.name === 'figure' ? attrs.image.alt : attrs.alt) ?? '')
}

/** Positions of the images that have no alternative text. */
export function imagesWithoutAlt(doc: Node): readonly number[] {
  const positions: number[] = []
  doc.descendants((node, pos) => {
    if (isImage(node) && altOf(node).trim() === '') positions.push(pos)
  })
  return positions
}

/** The selected image, or the one whose caption has the cursor. */
export function selectedImage({
  state: { selection },
}: Editor): { readonly node: Node; readonly pos: number } | undefined {
  if (selection instanceof NodeSelection && isImage(selection.node))
    return { node: selection.node, pos: selection.from }
  const { $from } = selection
  return isImage($from.parent) ? { node: $from.parent, pos: $from.before() } : undefined
}

export function setAlt({ state, view }: Editor, { node, pos }: { node: Node; pos: number }, alt: string): void {
  const { attrs } = node
  const changed = node.type.name === 'figure' ? { ...attrs, image: { ...attrs.image, alt } } : { ...attrs, alt }
  const tr = state.tr.setNodeMarkup(pos, undefined, changed)
  view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, pos)))
}

/** Continues in the text at the selected image, in its caption if it has one: what is typed must not replace the image. */
export function writeAtImage(editor: Editor): void {
  const image = selectedImage(editor)
  const { state, view } = editor
  if (image) {
    const { node, pos } = image
    const place = state.doc.resolve(node.isTextblock ? pos + 1 : pos + node.nodeSize)
    view.dispatch(state.tr.setSelection(TextSelection.near(place)))
  }
  editor.commands.focus()
}

/** Selects the first image without alternative text from a position on. @returns whether there is one */
export function selectImageWithoutAlt({ state, view }: Editor, from: number): boolean {
  const pos = imagesWithoutAlt(state.doc).find((found) => found >= from)
  if (pos === undefined) return false
  view.dispatch(state.tr.setSelection(NodeSelection.create(state.doc, pos)).scrollIntoView())
  return true
}

/** ID of the file in the media library, by the class that WordPress gives to images; `undefined` for images of other sites. */
export function attachmentOf({ type, attrs }: Node): number | undefined {
  const names: unknown = type.name === 'figure' ? attrs.image.class : attrs.kept?.class
  const id = /(?:^|\s)wp-image-(\d+)(?:\s|$)/.exec(String(names ?? ''))?.[1]
  return id === undefined ? undefined : Number(id)
}

/**
 * Shows another file in the image with that file of the media library: the selected one, or else the first, because the selection can change
 * while the file is edited. Its caption, link, alignment, and alternative text stay, its size does not.
 */
export function replaceImage(editor: Editor, attachmentId: number, item: MediaItem): void {
  const selected = selectedImage(editor)
  const image = selected && attachmentOf(selected.node) === attachmentId ? selected : firstWith(editor, attachmentId)
  if (!image) return
  const { node, pos } = image
  const attrs = node.type.name === 'figure' ? figureWith(node, item) : inlineWith(node, item)
  const tr = editor.state.tr.setNodeMarkup(pos, undefined, attrs)
  editor.view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, pos)))
  editor.view.focus()
}

function firstWith({ state: { doc } }: Editor, attachmentId: number): { node: Node; pos: number } | undefined {
  let found: { node: Node; pos: number } | undefined
  doc.descendants((node, pos) => {
    if (!found && isImage(node) && attachmentOf(node) === attachmentId) found = { node, pos }
    return !found
  })
  return found
}

function figureWith(node: Node, item: MediaItem): Node['attrs'] {
  const { id, sizeSlug, src } = fileOf(item)
  const shown = { src, class: `wp-image-${id}`, width: undefined, height: undefined, style: undefined }
  const classes = ownClassesOf(node).filter((name) => name !== 'is-resized' && !name.startsWith('size-'))
  const attrs = withClasses({ ...node.attrs, image: changed(node.attrs.image, shown) }, [
    ...classes,
    `size-${sizeSlug}`,
  ])
  return withComment(attrs, node, { ...UNSIZED, id, sizeSlug })
}

const UNSIZED = { width: undefined, height: undefined, aspectRatio: undefined, scale: undefined }

function inlineWith({ attrs }: Node, item: MediaItem): Node['attrs'] {
  const fresh = classicImage(item)
  return { ...attrs, ...fresh, alt: attrs.alt }
}
