import { escapeHtml } from 'pentad'
import { type HtmlElement, parseElements, type SURROUNDINGS } from './elements.ts'

export type { HtmlElement } from './elements.ts'

type Surroundings = (typeof SURROUNDINGS)[number]

/** A change of the source: the range from `start` to `end` (exclusive) is replaced by `text`. */
interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
  /** Order of edits at the same position: after an element, before the next one, the next one itself. */
  readonly rank: 0 | 1 | 2
}

/**
 * An HTML page that can be read and edited. Edits are stored as ranges of the source; everything else is unchanged,
 * byte for byte. Attributes are read with edits applied, everything else without. Edits inside a replaced or removed
 * element are lost.
 */
export interface HtmlDocument {
  /** As it was parsed. */
  readonly source: string
  readonly isEdited: boolean
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
}

/**
 * Parses the source on first access. Access throws `PageTooComplex` if the page is nested too deeply or has too many
 * elements.
 */
export function parseHtml(source: string): HtmlDocument {
  let parsed: readonly HtmlElement[] | undefined
  const elements = () => {
    parsed ??= parseElements(source)
    return parsed
  }
  const edits: Edit[] = []
  const changes = new Map<HtmlElement, Map<string, string | null>>()
  const edit = (start: number, end: number, text: string, rank: Edit['rank']) => {
    edits.push({ start, end, text, rank })
  }
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

  function afterFirstThings(): number {
    const needed = elements().filter(
      (element) =>
        element.name === 'base' ||
        (element.name === 'meta' && (element.attributes.has('charset') || element.attributes.has('http-equiv'))),
    )
    return Math.max(headStart(), ...needed.filter((element) => element.end <= headEnd()).map(({ end }) => end))
  }

  return {
    source,
    get isEdited() {
      return edits.length > 0 || changes.size > 0
    },
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
    setContent: (element, html) => edit(element.contentStart, element.contentEnd, html, 2),
    replace: (element, html) => edit(element.start, element.end, html, 2),
    remove: (element) => edit(element.start, element.end, '', 2),
    before: (element, html) => edit(element.start, element.start, html, 1),
    after: (element, html) => edit(element.end, element.end, html, 0),
    appendToHead: (html) => edit(headEnd(), headEnd(), html, 0),
    prependToHead: (html) => edit(afterFirstThings(), afterFirstThings(), html, 0),
    appendToBody(html) {
      const end = first('body')?.contentEnd ?? first('html')?.contentEnd ?? source.length
      edit(end, end, html, 0)
    },
    toString: () => apply(source, [...edits, ...attributeEdits(source, changes)]),
  }
}

function attributeEdits(source: string, changes: ReadonlyMap<HtmlElement, ReadonlyMap<string, string | null>>): Edit[] {
  return [...changes].flatMap(([element, values]) =>
    [...values].flatMap(([name, value]): Edit[] => {
      const places = element.places.filter((place) => place.name === name)
      // Browsers use the first of duplicate attributes; removing only that one would activate the second.
      if (value === null)
        return places.map(({ start, end }) => ({ start: withBlank(source, start), end, text: '', rank: 2 }))
      const text = value === '' ? name : `${name}="${escapeHtml(value)}"`
      const [place] = places
      if (place) return [{ start: place.start, end: place.end, text, rank: 2 }]
      // Right after the tag name, where malformed attributes cannot affect it.
      return [{ start: element.nameEnd, end: element.nameEnd, text: ` ${text}`, rank: 1 }]
    }),
  )
}

/** Includes the whitespace before an attribute. */
function withBlank(source: string, at: number): number {
  return /\s/.test(source[at - 1] ?? '') ? at - 1 : at
}

function apply(source: string, edits: readonly Edit[]): string {
  // `toSorted` is stable: edits with equal position and rank stay in order. The longer of two replacements contains the
  // other.
  const inOrder = edits.toSorted((a, b) => a.start - b.start || a.rank - b.rank || b.end - a.end)
  const parts: string[] = []
  let at = 0
  for (const { start, end, text } of inOrder) {
    if (start < at) continue
    parts.push(source.slice(at, start), text)
    at = end
  }
  parts.push(source.slice(at))
  return parts.join('')
}
