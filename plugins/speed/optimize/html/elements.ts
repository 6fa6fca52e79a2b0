import { Parser } from 'htmlparser2'

/** Where an attribute is written, from its name to the quote that ends its value. */
interface AttributePlace {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** An element of a page: what is written, and where in the source (offsets of UTF-16 code units, ends not included). */
export interface HtmlElement {
  /** Lower case; within `<svg>` as SVG writes it. */
  readonly name: string
  readonly parent: HtmlElement | undefined
  /** Values with entities decoded, by lower-case name; of two with one name the first, as in browsers. */
  readonly attributes: ReadonlyMap<string, string>
  readonly places: readonly AttributePlace[]
  /** Of the elements that it lies in, those whose content is special. */
  readonly surroundings: ReadonlySet<string>
  /** It or an element around it has `data-no-optimize`. */
  readonly isProtected: boolean
  /** Where `<` stands. */
  readonly start: number
  /** Where the name of the tag ends. */
  readonly nameEnd: number
  /** After the `>` of the opening tag. */
  readonly contentStart: number
  /** Where the closing tag stands, or what closed the element without one. */
  readonly contentEnd: number
  /** After the closing tag. */
  readonly end: number
}

type Open = { -readonly [Key in keyof HtmlElement]: HtmlElement[Key] }

/** Elements whose content no browser shows as part of the page, or shows exactly as it is written. */
export const SURROUNDINGS = [
  ...(['template', 'noscript', 'svg', 'pre', 'picture', 'math', 'textarea', 'head', 'body'] as const),
]
const NOWHERE: ReadonlySet<string> = new Set()

/** Elements within elements; browsers follow no further either (HTML, 13.2.6.1 leaves them that). */
const DEEPEST = 512
/** Elements and attributes together; a page of a usual site has a tenth. */
const MOST_PARTS = 50_000

/** A page that nobody should spend the time on that it takes to read it: that of all other visitors. */
export class UnreasonablePage extends Error {}

/**
 * All elements of a page in the order of the source. Whatever is wrong with the page, it is read somehow.
 * @throws UnreasonablePage for one that is nested too deeply or has too many elements: every end tag is looked for among
 * all that are open
 */
export function parseElements(source: string): readonly HtmlElement[] {
  const elements: Open[] = []
  const stack: Open[] = []
  let places: AttributePlace[] = []
  let nameEnd = 0
  let parts = 0
  const count = () => {
    if (++parts > MOST_PARTS) throw new UnreasonablePage('It has too many elements.')
  }
  const parser = new Parser(
    {
      onopentagname() {
        count()
        places = []
        nameEnd = parser.endIndex
      },
      onattribute(name) {
        count()
        places.push({ name, start: parser.startIndex, end: parser.endIndex })
      },
      onopentag(name, attributes, isImplied) {
        if (stack.length >= DEEPEST) throw new UnreasonablePage('It is nested too deeply.')
        const parent = stack.at(-1)
        const contentStart = parser.endIndex + 1
        const start = parser.startIndex
        const element: Open = {
          name,
          parent,
          attributes: readAttributes(attributes, source.slice(start, contentStart)),
          places,
          surroundings: parent ? within(parent) : NOWHERE,
          isProtected: parent?.isProtected === true || Object.hasOwn(attributes, 'data-no-optimize'),
          start,
          nameEnd,
          contentStart,
          contentEnd: source.length,
          end: source.length,
        }
        stack.push(element)
        // A tag that is not written (`</p>` alone opens one) has no place to be edited.
        if (!isImplied) elements.push(element)
      },
      onclosetag(name, isImplied) {
        const element = stack.pop()
        if (element?.name !== name) return
        // Without a closing tag an element ends where the tag begins that closed it; a void one at once.
        const at = Math.max(element.contentStart, parser.startIndex)
        const isWritten = !isImplied && parser.endIndex >= element.contentStart
        element.contentEnd = isVoid(element, parser) ? element.contentStart : Math.min(at, source.length)
        element.end = isWritten ? parser.endIndex + 1 : element.contentEnd
      },
    },
    // Half of the time would go into looking for entities in text, of which nobody here wants to know.
    { decodeEntities: false },
  )
  parser.end(source)
  return elements
}

/** Most elements of a page have none. */
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map()

/** Attributes of a tag with their entities decoded. @param tag as it is written */
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

/** What the children of an element lie in. Nearly all share the set of their parents. */
function within({ name, surroundings }: HtmlElement): ReadonlySet<string> {
  const isNew = SURROUNDINGS.some((one) => one === name) && !surroundings.has(name)
  return isNew ? new Set([...surroundings, name]) : surroundings
}

/** `<br>`, and `<path/>` within SVG: closed by the tag that opened it. */
function isVoid(element: HtmlElement, parser: Parser): boolean {
  return parser.endIndex + 1 === element.contentStart
}
