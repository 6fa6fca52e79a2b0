import type { Node } from '@tiptap/pm/model'
import { BLOCK_TYPES, parseComment, serializeAttributes } from '../block-comments.ts'

export type Alignment = 'left' | 'center' | 'right' | 'wide' | 'full'

const ALL: readonly Alignment[] = ['left', 'center', 'right', 'wide', 'full']

/** The alignments that the blocks support in WordPress, by node type. */
export const ALIGNMENTS: Readonly<Record<string, readonly Alignment[]>> = {
  ...{ figure: ALL, gallery: ALL, tableFigure: ALL, embed: ALL, video: ALL, audio: ALL, cover: ALL },
  file: ['left', 'center', 'right'],
  pullquote: ['left', 'right', 'wide', 'full'],
  ...{ columns: ['wide', 'full'], blockGroup: ['wide', 'full'], buttons: ['wide', 'full'] },
}

export function alignmentOf({ attrs }: Node): Alignment | undefined {
  const names = classesOf(attrs.kept)
  return ALL.find((alignment) => names.includes(`align${alignment}`))
}

/** The attributes of a node with another alignment: its class, and the attribute of its comment. */
export function aligned(node: Node, alignment: Alignment | undefined): Node['attrs'] {
  const { attrs } = node
  const type = BLOCK_TYPES[node.type.name]
  const others = classesOf(attrs.kept).filter((name) => !ALL.some((one) => name === `align${one}`))
  // A new block gets its class when it is stored, but not once it has a comment.
  const [first, ...rest] = others.length > 0 ? others : (type?.className ?? '').split(' ')
  const kept = { ...attrs.kept, class: [first, ...(alignment ? [`align${alignment}`] : []), ...rest].join(' ') }
  if (attrs.block === '') return { ...attrs, kept }
  const { name, attributes } = parseComment(attrs.block ?? type?.name ?? '')
  const { align: _, ...without } = attributes
  const wanted = alignment ? { ...without, align: alignment } : without
  const block = Object.keys(wanted).length === 0 ? name : `${name} ${serializeAttributes(wanted)}`
  return { ...attrs, kept, block }
}

function classesOf(kept: unknown): string[] {
  const names = typeof kept === 'object' && kept !== null && 'class' in kept ? String(kept.class) : ''
  return names.split(/\s+/).filter(Boolean)
}
