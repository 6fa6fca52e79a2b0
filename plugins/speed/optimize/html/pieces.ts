import type { HtmlElement } from './elements.ts'
import type { Fragment, FragmentElement } from './fragment.ts'

/** A fragment at its place in a page. */
export interface Piece {
  readonly fragment: Fragment
  /** The elements that start in it. */
  readonly elements: readonly PageElement[]
  /** Position in the page. */
  start: number
  /** The elements of earlier pieces that are open where it starts, from the outermost. */
  outer: readonly PageElement[]
}

/** An element of a fragment at its place in a page. */
export class PageElement implements HtmlElement {
  readonly #own: FragmentElement
  readonly #piece: Piece
  /** Where it ends, if that is in a later piece. */
  #closing: { readonly piece: Piece; readonly contentEnd: number; readonly end: number } | undefined

  constructor(own: FragmentElement, piece: Piece) {
    this.#own = own
    this.#piece = piece
  }

  /** @param piece the later piece in which it ends, at these offsets */
  endIn(piece: Piece, { contentEnd, end }: { readonly contentEnd: number; readonly end: number }): void {
    this.#closing = { piece, contentEnd, end }
  }

  get name(): string {
    return this.#own.name
  }
  get parent(): PageElement | undefined {
    return elementAt(this.#piece, this.#own.parent)
  }
  get attributes(): HtmlElement['attributes'] {
    return this.#own.attributes
  }
  get surroundings(): HtmlElement['surroundings'] {
    return this.#own.surroundings
  }
  get isProtected(): boolean {
    return this.#own.isProtected
  }
  get code(): string | undefined {
    return this.#own.code
  }
  get start(): number {
    return this.#piece.start + this.#own.start
  }
  get contentStart(): number {
    return this.#piece.start + this.#own.contentStart
  }
  get contentEnd(): number {
    return this.#closing
      ? this.#closing.piece.start + this.#closing.contentEnd
      : this.#piece.start + this.#own.contentEnd
  }
  get end(): number {
    return this.#closing ? this.#closing.piece.start + this.#closing.end : this.#piece.start + this.#own.end
  }
}

/** @param number as `FragmentElement.parent` */
function elementAt({ outer, elements }: Piece, number: number): PageElement | undefined {
  return number < outer.length ? outer[number] : elements[number - outer.length]
}

/**
 * Places fragments one after the other.
 * @param previous pieces of the page before it was edited, which are used again with their elements
 */
export function placeFragments(fragments: readonly Fragment[], previous: readonly Piece[] = []): Piece[] {
  const reusable = Map.groupBy(previous, ({ fragment }) => fragment)
  let start = 0
  let open: readonly PageElement[] = []
  return fragments.map((fragment) => {
    const piece = reusable.get(fragment)?.shift() ?? createPiece(fragment)
    piece.start = start
    piece.outer = open
    for (const closing of fragment.closings) open[closing.index]?.endIn(piece, closing)
    open = fragment.open.map((number) => elementAt(piece, number)).filter((element) => element !== undefined)
    start += fragment.text.length
    return piece
  })
}

function createPiece(fragment: Fragment): Piece {
  const elements: PageElement[] = []
  const piece: Piece = { fragment, elements, start: 0, outer: [] }
  for (const element of fragment.elements) elements.push(new PageElement(element, piece))
  return piece
}

/** Position after a piece; 0 without one. */
export function endOf(piece: Piece | undefined): number {
  return piece ? piece.start + piece.fragment.text.length : 0
}
