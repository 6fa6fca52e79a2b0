import type { Extensions } from '@tiptap/core'
import { Image } from '@tiptap/extension-image'
import { Link } from '@tiptap/extension-link'
import { TableKit } from '@tiptap/extension-table'
import { StarterKit } from '@tiptap/starter-kit'
import { Figure } from './figure.ts'
import { KeptAttributes, KeptHtml } from './kept-html.ts'

/** What the text editor knows. Everything else goes through it in one piece. */
export const textExtensions: Extensions = [
  StarterKit.configure({ link: false, trailingNode: false }),
  Link.configure({ openOnClick: false, autolink: false, HTMLAttributes: { target: null, rel: null } }),
  // In a line, as WordPress's classic editor puts them.
  Image.configure({ inline: true }),
  TableKit.configure({ table: { resizable: false } }),
  Figure,
  KeptAttributes,
]

export { KeptHtml }
