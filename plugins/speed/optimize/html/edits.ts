import { escapeHtml } from 'pentad'
import { findTagPlaces, type HtmlElement } from './elements.ts'
import type { Fragment } from './fragment.ts'
import { divide, textOf } from './fragments.ts'
import { endOf, type Piece } from './pieces.ts'

/** A change of a page: the range from `start` to `end` (exclusive) is replaced by `text`. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
  /** Order of edits at the same position: after an element, before the next one, the next one itself. */
  readonly rank: 0 | 1 | 2
}

/**
 * The parts of a page after edits: fragments that did not change, and new text.
 * @returns `undefined` if nothing changed
 */
export function applyEdits(pieces: readonly Piece[], edits: readonly Edit[]): (string | Fragment)[] | undefined {
  const ordered = inOrder(edits)
  const parts: (string | Fragment)[] = []
  let isChanged = false
  let at = 0
  for (let index = 0; index < pieces.length; ) {
    const [firstPiece, firstEdit] = [index, at]
    let end = endOf(pieces[index++])
    for (;;) {
      const edit = ordered[at]
      // What is inserted between two pieces belongs to the first.
      if (!edit || edit.start > end || (edit.start === end && edit.end > end)) break
      at++
      // An edit across pieces makes them one.
      while (edit.end > end) end = endOf(pieces[index++])
    }
    const touched = pieces.slice(firstPiece, index).map(({ fragment }) => fragment)
    const old = textOf(touched)
    const text = apply(old, pieces[firstPiece]?.start ?? 0, ordered.slice(firstEdit, at))
    if (text === old) {
      parts.push(...touched)
      continue
    }
    isChanged = true
    // A part must start with a tag, where it is certain that the previous one ends.
    const previous = /^<[a-z]/i.test(text) ? [] : parts.splice(-1)
    parts.push(...divide(textOf(previous) + text))
  }
  return isChanged ? parts : undefined
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

/**
 * @param source the part of a page that starts at this position
 * @param edits in order, not overlapping
 */
function apply(source: string, position: number, edits: readonly Edit[]): string {
  if (edits.length === 0) return source
  const parts: string[] = []
  let at = 0
  for (const { start, end, text } of edits) {
    parts.push(source.slice(at, start - position), text)
    at = end - position
  }
  parts.push(source.slice(at))
  return parts.join('')
}

/** The edits that change attributes of an opening tag. @param tag its source */
export function attributeEdits(element: HtmlElement, tag: string, values: ReadonlyMap<string, string | null>): Edit[] {
  const { nameEnd, attributes } = findTagPlaces(tag)
  const edit = (from: number, to: number, text: string, rank: Edit['rank']): Edit => {
    return { start: element.start + from, end: element.start + to, text, rank }
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
}

/** Includes the whitespace before an attribute. */
function withBlank(tag: string, at: number): number {
  return /\s/.test(tag[at - 1] ?? '') ? at - 1 : at
}
