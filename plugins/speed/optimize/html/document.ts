import { applyEdits, attributeEdits, type Edit } from './edits.ts'
import type { HtmlElement, SURROUNDINGS } from './elements.ts'
import type { Fragment } from './fragment.ts'
import { createFragments, divide, type Fragments } from './fragments.ts'
import { endOf, type PageElement, type Piece, placeFragments } from './pieces.ts'

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
  /** The same including protected elements; read-only. */
  allWithProtected(...names: string[]): HtmlElement[]
  /** All elements in source order, including protected ones; read-only. */
  readonly elements: readonly HtmlElement[]
  /** The parts of the page. Other pages share them, so what is derived from one can be memoized by it. */
  readonly fragments: readonly Fragment[]
  /** Whether it is inside an element with one of these names. */
  isIn(element: HtmlElement, ...names: Surroundings[]): boolean
  /** The value with entities decoded; `''` without a value, `undefined` without the attribute. */
  attribute(element: HtmlElement, name: string): string | undefined
  /** Source between the tags. */
  content(element: HtmlElement): string
  /** Source with the tags. */
  outer(element: HtmlElement): string
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
  /**
   * The edited page; the same document if nothing changed. Otherwise this one and its elements must not be used any
   * more.
   */
  commit(): HtmlDocument
  /** Discards the edits. */
  discard(): void
  /** The source without comments and superfluous whitespace. */
  readonly minified: string
}

/**
 * Parses a page.
 * @throws PageTooComplex if it is nested too deeply or has too many elements
 */
export type ParseHtml = (source: string) => HtmlDocument

/** Pages that are parsed by one function share their fragments. */
export function createParseHtml(): ParseHtml {
  const fragments = createFragments()
  return (source) => createDocument(placeFragments(fragments.read(divide(source))), fragments)
}

function createDocument(pieces: readonly Piece[], fragments: Fragments): HtmlDocument {
  const edits: Edit[] = []
  const changes = new Map<HtmlElement, Map<string, string | null>>()
  const edit = (start: number, end: number, text: string, rank: Edit['rank']) => edits.push({ start, end, text, rank })
  const length = () => endOf(pieces.at(-1))
  const first = (name: string) => named([name])[0]

  function named(names: readonly string[]): PageElement[] {
    const found: PageElement[] = []
    for (const { elements, fragment } of pieces) {
      if (!names.some((name) => fragment.byName.has(name))) continue
      const indexes = names.flatMap((name) => fragment.byName.get(name) ?? [])
      for (const index of indexes.sort((a, b) => a - b)) {
        const element = elements[index]
        if (element) found.push(element)
      }
    }
    return found
  }

  /** Position of `</head>`, or else before `<body>`, after `<html>` or after the doctype. */
  function headEnd(): number {
    return first('head')?.contentEnd ?? first('body')?.start ?? headStart()
  }

  function headStart(): number {
    const opening = first('head') ?? first('html')
    if (opening) return opening.contentStart
    return /^\s*<!doctype[^>]*>/i.exec(document.source)?.[0].length ?? 0
  }

  /** The last element that must stay at the start of `<head>`. */
  function lastFirstThing(): HtmlElement | undefined {
    return named(['base', 'meta']).findLast(
      ({ name, attributes, end }) =>
        (name === 'base' || attributes.has('charset') || attributes.has('http-equiv')) && end <= headEnd(),
    )
  }

  function slice(start: number, end: number): string {
    return pieces
      .filter((piece) => piece.start < end && endOf(piece) > start)
      .map(({ start: from, fragment }) => fragment.text.slice(Math.max(0, start - from), end - from))
      .join('')
  }

  let source: string | undefined
  const document: HtmlDocument = {
    get source() {
      source ??= slice(0, length())
      return source
    },
    fragments: pieces.map(({ fragment }) => fragment),
    get elements() {
      return pieces.flatMap(({ elements }) => elements)
    },
    all: (...names) => named(names).filter(({ isProtected }) => !isProtected),
    allWithProtected: (...names) => named(names),
    isIn: (element, ...names) => names.some((name) => element.surroundings.has(name)),
    attribute(element, name) {
      const changed = changes.get(element)?.get(name)
      return changed === undefined ? element.attributes.get(name) : (changed ?? undefined)
    },
    content: (element) => element.code ?? slice(element.contentStart, element.contentEnd),
    outer: (element) => slice(element.start, element.end),
    setAttributes(element, values) {
      const known = changes.get(element) ?? new Map<string, string | null>()
      for (const [name, value] of Object.entries(values)) {
        if (value !== (known.get(name) ?? element.attributes.get(name) ?? null)) known.set(name, value)
      }
      if (known.size > 0) changes.set(element, known)
    },
    setContent: (element, html) => edit(element.contentStart, element.contentEnd, html, 2),
    replace: (element, html) => edit(element.start, element.end, html, 2),
    remove: (element) => edit(element.start, element.end, '', 2),
    before: (element, html) => edit(element.start, element.start, html, 1),
    after: (element, html) => edit(element.end, element.end, html, 0),
    appendToHead: (html) => edit(headEnd(), headEnd(), html, 0),
    prependToHead(html) {
      const at = Math.max(headStart(), lastFirstThing()?.end ?? 0)
      edit(at, at, html, 0)
    },
    appendToBody(html) {
      const at = (first('body') ?? first('html'))?.contentEnd ?? length()
      edit(at, at, html, 0)
    },
    commit() {
      if (edits.length === 0 && changes.size === 0) return document
      const fromAttributes = [...changes].flatMap(([element, values]) =>
        attributeEdits(element, slice(element.start, element.contentStart), values),
      )
      const parts = applyEdits(pieces, [...edits, ...fromAttributes], fragments)
      document.discard()
      return parts ? createDocument(placeFragments(fragments.read(parts), pieces), fragments) : document
    },
    discard() {
      edits.length = 0
      changes.clear()
    },
    get minified() {
      return pieces.map(({ fragment }) => fragment.minified).join('')
    },
  }
  return document
}
