import type { Node } from '@tiptap/pm/model'
import { classesOf, ownClassesOf, withClasses, withComment } from './attributes.ts'

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
  const names = classesOf(attrs)
  return ALL.find((alignment) => names.includes(`align${alignment}`))
}

/** The attributes of a node with another alignment: its class, and the attribute of its comment. */
export function aligned(node: Node, alignment: Alignment | undefined): Node['attrs'] {
  const others = ownClassesOf(node).filter((name) => !ALL.some((one) => name === `align${one}`))
  const [first, ...rest] = others
  const classes = [first ?? '', ...(alignment ? [`align${alignment}`] : []), ...rest]
  return withComment(withClasses(node.attrs, classes), node, { align: alignment })
}
