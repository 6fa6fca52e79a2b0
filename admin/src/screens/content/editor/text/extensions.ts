import type { Extensions } from '@tiptap/core'
import { Image } from '@tiptap/extension-image'
import { Link } from '@tiptap/extension-link'
import { TableKit } from '@tiptap/extension-table'
import { StarterKit } from '@tiptap/starter-kit'
import { containers } from './blocks/containers.ts'
import { EnterKey } from './blocks/enter.ts'
import { media } from './blocks/media.ts'
import { quotes } from './blocks/quotes.ts'
import { TableFigure } from './blocks/table.ts'
import { Figure } from './figure.ts'
import { HtmlBlock, PreservedAttributes } from './html-block.ts'

/** The features of the visual editor. All other HTML is preserved as HTML blocks. */
export const textExtensions: Extensions = [
  StarterKit.configure({ link: false, trailingNode: false, blockquote: false }),
  Link.extend({ addKeyboardShortcuts: () => ({ 'Mod-k': openLinkField }) }).configure({
    ...{ openOnClick: false, autolink: false, HTMLAttributes: { target: null, rel: null } },
  }),
  // Images are inline, as in WordPress's classic editor.
  Image.configure({ inline: true }),
  TableKit.configure({ table: { resizable: false } }),
  ...quotes,
  ...containers,
  ...media,
  TableFigure,
  EnterKey,
  Figure,
  PreservedAttributes,
]

/** Opens the link field of the toolbar, which listens for this event. */
function openLinkField(): boolean {
  window.dispatchEvent(new Event('edit-link'))
  return true
}

export { HtmlBlock }
