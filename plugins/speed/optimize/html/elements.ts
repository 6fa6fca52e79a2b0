import { Parser } from 'htmlparser2'
import { memoize } from '../memoize.ts'

/** An element of a page with its positions in the source (UTF-16 offsets, ends exclusive). */
export interface HtmlElement {
  /** Lower case; within `<svg>` as SVG writes it. */
  readonly name: string
  readonly parent: HtmlElement | undefined
  /** Decoded values by lowercase name; of duplicates the first, as in browsers. */
  readonly attributes: ReadonlyMap<string, string>
  /** Ancestors whose content is special. */
  readonly surroundings: ReadonlySet<string>
  /** It or an element around it has `data-no-optimize`. */
  readonly isProtected: boolean
  /** Position of `<`. */
  readonly start: number
  /** After the `>` of the opening tag. */
  readonly contentStart: number
  /** Position of the closing tag, or of what closed the element implicitly. */
  readonly contentEnd: number
  /** After the closing tag. */
  readonly end: number
  /** Content of a `<style>` or `<script>`. */
  readonly code: string | undefined
}

/** Elements whose content is not rendered as part of the page, or is rendered verbatim. */
export const SURROUNDINGS = [
  ...(['template', 'noscript', 'svg', 'pre', 'picture', 'math', 'textarea', 'head', 'body'] as const),
]
/** Attribute that protects an element and its content from optimization. */
export const PROTECTING = 'data-no-optimize'

/** Surroundings of the children of an element; usually the same set. */
export function within({ name, surroundings }: Pick<HtmlElement, 'name' | 'surroundings'>): ReadonlySet<string> {
  const isNew = SURROUNDINGS.some((one) => one === name) && !surroundings.has(name)
  return isNew ? new Set([...surroundings, name]) : surroundings
}

/** Shared by elements without attributes. */
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map()

/**
 * Attributes of a tag with entities decoded.
 * @param attributes as they are written
 * @param tag its source
 */
export function readAttributes(attributes: Readonly<Record<string, string>>, tag: string): ReadonlyMap<string, string> {
  const written = Object.entries(attributes)
  if (written.length === 0) return NO_ATTRIBUTES
  if (!written.some(([, value]) => value.includes('&'))) return new Map(written)
  let values: string[] = []
  const parser = new Parser({
    onopentag(_name, decoded) {
      values = Object.values(decoded)
    },
  })
  parser.end(tag)
  return new Map(written.map(([name, value], at) => [name, values[at] ?? value]))
}

/** Where the parts of an opening tag are, as offsets from its `<`. */
export interface TagPlaces {
  readonly nameEnd: number
  /** Attributes, duplicates included, each from its name to the closing quote. */
  readonly attributes: readonly { readonly name: string; readonly start: number; readonly end: number }[]
}

/** The parts of an opening tag, given its source. */
export const findTagPlaces = memoize((tag): TagPlaces => {
  const attributes: TagPlaces['attributes'][number][] = []
  let nameEnd = 0
  const parser = new Parser({
    onopentagname() {
      nameEnd = parser.endIndex
    },
    onattribute(name) {
      attributes.push({ name, start: parser.startIndex, end: parser.endIndex })
    },
  })
  parser.end(tag)
  return { nameEnd, attributes }
})
