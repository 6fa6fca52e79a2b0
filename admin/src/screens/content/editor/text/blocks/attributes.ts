import type { Node } from '@tiptap/pm/model'
import { BLOCK_TYPES, parseComment, serializeAttributes } from '../block-comments.ts'

type Attributes = Node['attrs']

export function classesOf({ kept }: Attributes): readonly string[] {
  const names = typeof kept === 'object' && kept !== null && 'class' in kept ? String(kept.class) : ''
  return names.split(/\s+/).filter(Boolean)
}

/** The classes of the block; of a new one those that it gets when it is stored, which it doesn't once it has a comment. */
export function ownClassesOf({ attrs, type }: Node): readonly string[] {
  const names = classesOf(attrs)
  return names.length > 0 || attrs.block !== null ? names : (BLOCK_TYPES[type.name]?.className ?? '').split(' ')
}

export function withClasses(attrs: Attributes, names: readonly string[]): Attributes {
  return withKept(attrs, { class: names.filter(Boolean).join(' ') || undefined })
}

/** Changes attributes of the block's element; `undefined` removes one. */
export function withKept(attrs: Attributes, changes: Readonly<Record<string, string | undefined>>): Attributes {
  return { ...attrs, kept: changed(attrs.kept, changes) }
}

/** Changes attributes of the block's comment; `undefined` removes one. HTML without a comment gets none. */
export function withComment(attrs: Attributes, { type }: Node, changes: Readonly<Record<string, unknown>>): Attributes {
  if (attrs.block === '') return attrs
  const { name, attributes } = parseComment(attrs.block ?? BLOCK_TYPES[type.name]?.name ?? '')
  const wanted = changed(attributes, changes)
  return { ...attrs, block: Object.keys(wanted).length === 0 ? name : `${name} ${serializeAttributes(wanted)}` }
}

/** A copy of a record with changed entries; `undefined` removes one. */
export function changed(record: unknown, changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const all = { ...(typeof record === 'object' ? record : {}), ...changes }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}
