import { escapeHtml } from 'pentad'
import { type Edit, editElements } from './edit-elements.ts'
import { findTagPlaces, type HtmlElement, type MutableElement, parseElements, type SURROUNDINGS } from './elements.ts'

export type { HtmlElement } from './elements.ts'

type Surroundings = (typeof SURROUNDINGS)[number]

/**
 * An HTML page that can be read and edited. Edits are stored as ranges of the source; everything else is unchanged,
 * byte for byte. Attributes are read with edits applied, everything else without. Edits inside a replaced or removed
 * element are lost.
 */
export interface HtmlDocument {
  /** As it was parsed. */
  readonly source: string
  /** Elements with these names in source order, without those protected by `data-no-optimize`. */
  all(...names: string[]): HtmlElement[]
  /** All elements in source order, including protected ones; read-only. */
  readonly elements: readonly HtmlElement[]
  /** Whether it is inside an element with one of these names. */
  isIn(element: HtmlElement, ...names: Surroundings[]): boolean
  /** The value with entities decoded; `''` without a value, `undefined` without the attribute. */
  attribute(element: HtmlElement, name: string): string | undefined
  /** Source between the tags. */
  content(element: HtmlElement): string
  /** Sets attributes to plain values, which are escaped and quoted here; `null` removes one. */
  setAttributes(element: HtmlElement, values: Readonly<Record<string, string | null>>): void
  /** Replaces the content between the tags. */
  setContent(element: HtmlElement, html: string): void
  replace(element: HtmlElement, html: string): void
  remove(element: HtmlElement): void
  before(element: HtmlElement, html: string): void
  after(element: HtmlElement, html: string): void
  /** Before `</head>`. */
  appendToHead(html: string): void
  /** At the start of `<head>`, after charset and `<base>`. */
  prependToHead(html: string): void
  /** Before `</body>`. */
  appendToBody(html: string): void
  /** The source with all edits. */
  toString(): string
  /** The edited page as a document of its own. This one and its elements must not be used any more. */
  commit(): HtmlDocument
  /** The page without the edits. */
  discard(): HtmlDocument
}

/**
 * Parses the source on first access. Access throws `PageTooComplex` if the page is nested too deeply or has too many
 * elements.
 */
export function parseHtml(source: string): HtmlDocument {
  return createDocument(source)
}

/** @param parsed elements of the source, if they are known */
function createDocument(source: string, parsed?: MutableElement[]): HtmlDocument {
  const elements = () => {
    parsed ??= parseElements(source)
    return parsed
  }
  const edits: Edit[] = []
  const changes = new Map<HtmlElement, Map<string, string | null>>()
  const edit = (start: number, end: number, text: string, rank: Edit['rank'], parent: Edit['parent']) => {
    edits.push({ start, end, text, rank, parent })
  }
  const insert = (at: number, text: string, parent: Edit['parent']) => edit(at, at, text, 0, parent)
  const first = (name: string) => elements().find((element) => element.name === name)

  /** Position of `</head>`, or else before `<body>`, after `<html>` or after the doctype. */
  function headEnd(): number {
    return first('head')?.contentEnd ?? first('body')?.start ?? headStart()
  }

  function headStart(): number {
    const opening = first('head') ?? first('html')
    if (opening) return opening.contentStart
    return /^\s*<!doctype[^>]*>/i.exec(source)?.[0].length ?? 0
  }

  /** The last element that must stay at the start of `<head>`. */
  function lastFirstThing(): HtmlElement | undefined {
    return elements().findLast(
      ({ name, attributes, end }) =>
        (name === 'base' || (name === 'meta' && (attributes.has('charset') || attributes.has('http-equiv')))) &&
        end <= headEnd(),
    )
  }

  const document: HtmlDocument = {
    source,
    get elements() {
      return elements()
    },
    all: (...names) => elements().filter((element) => !element.isProtected && names.includes(element.name)),
    isIn(element, ...names) {
      return names.some((name) => element.surroundings.has(name))
    },
    attribute(element, name) {
      const changed = changes.get(element)?.get(name)
      return changed === undefined ? element.attributes.get(name) : (changed ?? undefined)
    },
    content: (element) => source.slice(element.contentStart, element.contentEnd),
    setAttributes(element, values) {
      const known = changes.get(element) ?? new Map<string, string | null>()
      for (const [name, value] of Object.entries(values)) {
        if (value !== (known.get(name) ?? element.attributes.get(name) ?? null)) known.set(name, value)
      }
      if (known.size > 0) changes.set(element, known)
    },
    setContent: (element, html) => edit(element.contentStart, element.contentEnd, html, 2, element),
    replace: (element, html) => edit(element.start, element.end, html, 2, element.parent),
    remove: (element) => edit(element.start, element.end, '', 2, element.parent),
    before: (element, html) => edit(element.start, element.start, html, 1, element.parent),
    after: (element, html) => edit(element.end, element.end, html, 0, element.parent),
    appendToHead: (html) => insert(headEnd(), html, first('head')),
    prependToHead(html) {
      const last = lastFirstThing()
      insert(Math.max(headStart(), last?.end ?? 0), html, last ? last.parent : first('head'))
    },
    appendToBody(html) {
      const body = first('body') ?? first('html')
      insert(body?.contentEnd ?? source.length, html, body)
    },
    toString: () => apply(source, editsInOrder()),
    commit() {
      if (edits.length === 0 && changes.size === 0) return document
      const applied = editsInOrder()
      const result = apply(source, applied)
      return createDocument(result, parsed && editElements(parsed, applied, result))
    },
    discard: () => createDocument(source, parsed),
  }
  return document

  /** All edits but those within a replaced element. */
  function editsInOrder(): Edit[] {
    return inOrder([...edits, ...attributeEdits(source, changes)])
  }
}

function attributeEdits(source: string, changes: ReadonlyMap<HtmlElement, ReadonlyMap<string, string | null>>): Edit[] {
  return [...changes].flatMap(([element, values]) => {
    const tag = source.slice(element.start, element.contentStart)
    const { nameEnd, attributes } = findTagPlaces(tag)
    const edit = (from: number, to: number, text: string, rank: Edit['rank']): Edit => {
      return { start: element.start + from, end: element.start + to, text, rank, parent: undefined, tag: element }
    }
    return [...values].flatMap(([name, value]): Edit[] => {
      const places = attributes.filter((place) => place.name === name)
      // Browsers use the first of duplicate attributes; removing only that one would activate the second.
      if (value === null) return places.map(({ start, end }) => edit(withBlank(tag, start), end, '', 2))
      const text = value === '' ? name : `${name}="${escapeHtml(value)}"`
      const [place] = places
      if (place) return [edit(place.start, place.end, text, 2)]
      // Right after the tag name, where malformed attributes cannot affect it.
      return [edit(nameEnd, nameEnd, ` ${text}`, 1)]
    })
  })
}

/** Includes the whitespace before an attribute. */
function withBlank(tag: string, at: number): number {
  return /\s/.test(tag[at - 1] ?? '') ? at - 1 : at
}

/** By position, without those within another one. */
function inOrder(edits: readonly Edit[]): Edit[] {
  let at = 0
  // `toSorted` is stable: edits with equal position and rank stay in order. The longer of two replacements contains the
  // other.
  return edits
    .toSorted((a, b) => a.start - b.start || a.rank - b.rank || b.end - a.end)
    .filter(({ start, end }) => {
      if (start < at) return false
      at = end
      return true
    })
}

/** @param edits in order */
function apply(source: string, edits: readonly Edit[]): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end, text } of edits) {
    parts.push(source.slice(at, start), text)
    at = end
  }
  parts.push(source.slice(at))
  return parts.join('')
}
