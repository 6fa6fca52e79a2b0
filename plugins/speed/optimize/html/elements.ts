import { Parser } from 'htmlparser2'

/** Where the parts of an opening tag are, as offsets from its `<`. */
export interface TagPlaces {
  readonly nameEnd: number
  /** Attributes, duplicates included, each from its name to the closing quote. */
  readonly attributes: readonly { readonly name: string; readonly start: number; readonly end: number }[]
}

/** An element of a page with its positions in the source (UTF-16 offsets, ends exclusive). */
export interface HtmlElement {
  /** Lower case; within `<svg>` as SVG writes it. */
  readonly name: string
  readonly parent: HtmlElement | undefined
  /** Decoded values by lower-case name; of duplicates the first, as in browsers. */
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
}

export type MutableElement = { -readonly [Key in keyof HtmlElement]: HtmlElement[Key] }

/** Elements whose content is not rendered as part of the page, or is rendered verbatim. */
export const SURROUNDINGS = [
  ...(['template', 'noscript', 'svg', 'pre', 'picture', 'math', 'textarea', 'head', 'body'] as const),
]
const NOWHERE: ReadonlySet<string> = new Set()
/** Attribute that protects an element and its content from optimization. */
export const PROTECTING = 'data-no-optimize'

/** Maximum nesting; browsers have the same limit (allowed by HTML, 13.2.6.1). */
const DEEPEST = 512
/** Maximum number of elements and attributes; typical pages have a tenth. */
const MOST_PARTS = 50_000

/** A page that is too expensive to process. */
export class PageTooComplex extends Error {}

/**
 * All elements of a page in source order. Invalid HTML is accepted.
 * @throws PageTooComplex if it is nested too deeply or has too many elements: each end tag is searched among all open
 *   elements
 */
export function parseElements(source: string): MutableElement[] {
  const elements: MutableElement[] = []
  const stack: MutableElement[] = []
  let parts = 0
  const count = () => {
    if (++parts > MOST_PARTS) throw new PageTooComplex('The page has too many elements.')
  }
  const parser = new Parser(
    {
      onopentagname: count,
      onattribute: count,
      onopentag(name, attributes, isImplied) {
        if (stack.length >= DEEPEST) throw new PageTooComplex('The page is nested too deeply.')
        const parent = stack.at(-1)
        const contentStart = parser.endIndex + 1
        const start = parser.startIndex
        const element: MutableElement = {
          name,
          parent,
          attributes: readAttributes(attributes, source.slice(start, contentStart)),
          surroundings: parent ? within(parent) : NOWHERE,
          isProtected: parent?.isProtected === true || Object.hasOwn(attributes, PROTECTING),
          start,
          contentStart,
          contentEnd: source.length,
          end: source.length,
        }
        stack.push(element)
        // An implied tag (`</p>` alone opens one) has no position to edit.
        if (!isImplied) elements.push(element)
      },
      onclosetag(name, isImplied) {
        const element = stack.pop()
        if (element?.name !== name) return
        // Without a closing tag, an element ends where the tag starts that closed it; a void element ends immediately.
        const at = Math.max(element.contentStart, parser.startIndex)
        const isWritten = !isImplied && parser.endIndex >= element.contentStart
        element.contentEnd = isVoid(element, parser) ? element.contentStart : Math.min(at, source.length)
        element.end = isWritten ? parser.endIndex + 1 : element.contentEnd
      },
    },
    // Decoding entities in text would take half of the time and is not needed.
    { decodeEntities: false },
  )
  parser.end(source)
  return elements
}

/** @param tag the source of an opening tag */
export function findTagPlaces(tag: string): TagPlaces {
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
}

/** Shared by elements without attributes. */
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map()

/** Attributes of a tag with entities decoded. @param tag its source */
function readAttributes(attributes: Readonly<Record<string, string>>, tag: string): ReadonlyMap<string, string> {
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

/** Surroundings of the children of an element; usually the same set. */
export function within({ name, surroundings }: HtmlElement): ReadonlySet<string> {
  const isNew = SURROUNDINGS.some((one) => one === name) && !surroundings.has(name)
  return isNew ? new Set([...surroundings, name]) : surroundings
}

/** `<br>`, and `<path/>` within SVG: closed by the tag that opened it. */
function isVoid(element: HtmlElement, parser: Parser): boolean {
  return parser.endIndex + 1 === element.contentStart
}
