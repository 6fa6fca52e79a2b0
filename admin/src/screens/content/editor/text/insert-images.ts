import type { Editor } from '@tiptap/core'
import type { MediaItem } from '../../../media/media-item.ts'
import { insertBlocks } from './blocks/insert.ts'
import { image } from './blocks/new-blocks.ts'

/** Inserts images: as blocks, or in a post of the classic editor as it does. @param position in the document, if dropped there */
export function insertImages(editor: Editor, items: readonly MediaItem[], isClassic: boolean, position?: number): void {
  const nodes = items.map(isClassic ? inParagraph : image)
  if (position !== undefined) editor.chain().focus().insertContentAt(position, nodes).run()
  else if (isClassic) editor.chain().focus().insertContent(nodes).run()
  else insertBlocks(editor, nodes)
}

const inParagraph = (item: MediaItem) => ({
  type: 'paragraph',
  content: [{ type: 'image', attrs: classicImage(item) }],
})

/** The attributes of an image of the classic editor; its class refers to the file in the media library. */
export function classicImage(item: MediaItem) {
  const {
    id,
    source_url: full,
    alt_text: alt,
    media_details: { sizes, width, height },
  } = item
  const size = sizes?.large ?? { source_url: full, width }
  // All sizes except cropped ones have the aspect ratio of the file.
  const tall = size.width && width && height ? Math.round((size.width * height) / width) : null
  const attributes = { src: size.source_url, alt, width: size.width ?? null, height: tall }
  const kept = { class: `alignnone size-${sizes?.large ? 'large' : 'full'} wp-image-${id}` }
  return { ...attributes, kept }
}
