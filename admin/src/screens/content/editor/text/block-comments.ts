import type { Node } from '@tiptap/pm/model'

/** The attribute of an element that holds its block comment; empty for an element without one. */
export const BLOCK = 'data-block'

interface BlockType {
  /** Name in the block editor, without `core/`. */
  readonly name: string
  /** Class of a new block. */
  readonly className?: string
  /** Whether HTML without the comment is not the same block. */
  readonly isBlockOnly?: boolean
  /** Attributes in the comment that follow from the node; `undefined` for the default value. */
  readonly attributes?: (node: Node) => Readonly<Record<string, unknown>>
}

const isBlockOnly = true

/** The blocks of WordPress that the visual editor writes, by node type. */
export const BLOCK_TYPES: Readonly<Record<string, BlockType>> = {
  paragraph: { name: 'paragraph' },
  heading: {
    name: 'heading',
    className: 'wp-block-heading',
    attributes: ({ attrs }) => ({ level: attrs.level === 2 ? undefined : attrs.level }),
  },
  bulletList: { name: 'list', className: 'wp-block-list', attributes: () => ({ ordered: undefined }) },
  orderedList: {
    name: 'list',
    className: 'wp-block-list',
    attributes: ({ attrs }) => ({ ordered: true, start: attrs.start === 1 ? undefined : attrs.start }),
  },
  listItem: { name: 'list-item' },
  blockquote: { name: 'quote', className: 'wp-block-quote' },
  codeBlock: { name: 'code', className: 'wp-block-code' },
  horizontalRule: { name: 'separator', className: 'wp-block-separator has-alpha-channel-opacity' },
  figure: { name: 'image', className: 'wp-block-image' },
  gallery: { name: 'gallery', className: 'wp-block-gallery has-nested-images columns-default is-cropped', isBlockOnly },
  pullquote: { name: 'pullquote', className: 'wp-block-pullquote', isBlockOnly },
  columns: { name: 'columns', className: 'wp-block-columns', isBlockOnly },
  column: { name: 'column', className: 'wp-block-column', isBlockOnly },
  blockGroup: { name: 'group', className: 'wp-block-group', isBlockOnly },
  buttons: { name: 'buttons', className: 'wp-block-buttons', isBlockOnly },
  button: { name: 'button', className: 'wp-block-button', isBlockOnly },
  details: { name: 'details', className: 'wp-block-details', isBlockOnly },
  tableFigure: { name: 'table', className: 'wp-block-table', isBlockOnly },
  embed: { name: 'embed', className: 'wp-block-embed', isBlockOnly },
  video: { name: 'video', className: 'wp-block-video', isBlockOnly },
  audio: { name: 'audio', className: 'wp-block-audio', isBlockOnly },
  file: { name: 'file', className: 'wp-block-file', isBlockOnly },
  cover: { name: 'cover', className: 'wp-block-cover', isBlockOnly },
}

/**
 * The text of a block's comment after `wp:`, such as `heading {"level":3}`. A stored comment of the same block is preserved
 * as it is, except for attributes that have changed with the node.
 */
export function commentOf(node: Node, stored: string | null): string {
  const type = BLOCK_TYPES[node.type.name]
  if (!type) return ''
  const { name, attributes } = parseComment(stored ?? '')
  const isStored = name === type.name
  const wanted = { ...(isStored ? attributes : {}) }
  for (const [key, value] of Object.entries(type.attributes?.(node) ?? {})) {
    if (value === undefined) delete wanted[key]
    else wanted[key] = value
  }
  if (isStored && JSON.stringify(wanted) === JSON.stringify(attributes)) return stored ?? ''
  return Object.keys(wanted).length === 0 ? type.name : `${type.name} ${serializeAttributes(wanted)}`
}

export function parseComment(comment: string): { name: string; attributes: Record<string, unknown> } {
  const [name = ''] = comment.split(/\s/, 1)
  try {
    const parsed: unknown = JSON.parse(comment.slice(name.length))
    return { name, attributes: typeof parsed === 'object' && parsed !== null ? { ...parsed } : {} }
  } catch {
    return { name, attributes: {} }
  }
}

/** Escapes what would end the comment, as `serializeAttributes` of `@wordpress/blocks` does. */
export function serializeAttributes(attributes: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(attributes)
    .replaceAll('\\\\', '\\u005c')
    .replaceAll('--', '\\u002d\\u002d')
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026')
    .replaceAll('\\"', '\\u0022')
}
