import { BLOCK } from '../block-comments.ts'

export type ElementAttributes = Readonly<Record<string, string>>

/** The attributes of an element, for nodes that consist of several elements; without event handlers. */
export function attributesOf(element: Element | null): ElementAttributes {
  const own = element ? [...element.attributes].filter(({ name }) => name !== BLOCK && !name.startsWith('on')) : []
  return Object.fromEntries(own.map(({ name, value }) => [name, value]))
}

/** A node's attribute that holds the attributes of an inner element; those of a new one if the block has none. */
export function elementAttribute(find: (block: HTMLElement) => Element | null, fresh: ElementAttributes = {}) {
  const parseHTML = (block: HTMLElement) => {
    const element = find(block)
    return element ? attributesOf(element) : fresh
  }
  return { default: fresh, parseHTML, rendered: false }
}

/** The attributes of a new caption. */
export const CAPTION: ElementAttributes = { class: 'wp-element-caption' }
