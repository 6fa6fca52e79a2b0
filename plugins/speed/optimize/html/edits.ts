import { escapeHtml } from 'pentad'
import { replaceRanges } from '../css/css-urls.ts'
import { findTagPlaces, type HtmlElement } from './elements.ts'
import type { Fragment } from './fragment.ts'
import { divide, type Fragments, STARTS_WITH_TAG, type TextEdit, textOf } from './fragments.ts'
import { endOf, type Piece } from './pieces.ts'

/** A change of a page. */
export interface Edit extends TextEdit {
  /** Order of edits at the same position: after an element, before the next one, the next one itself. */
  readonly rank: 0 | 1 | 2
}

/**
 * The parts of a page after edits: fragments that did not change, and new text.
 * @returns `undefined` if nothing changed
 */
export function applyEdits(
  pieces: readonly Piece[],
  edits: readonly Edit[],
  fragments: Fragments,
): (string | Fragment)[] | undefined {
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
      while (edit.end > end && index < pieces.length) end = endOf(pieces[index++])
    }
    const touched = pieces.slice(firstPiece, index).map(({ fragment }) => fragment)
    if (at === firstEdit) {
      parts.push(...touched)
      continue
    }
    const from = pieces[firstPiece]?.start ?? 0
    const own = ordered
      .slice(firstEdit, at)
      .map(({ start, end, text }) => ({ start: start - from, end: end - from, text }))
    const [fragment, ...more] = touched
    const edited = fragment && more.length === 0 ? fragments.edit(fragment, own) : undefined
    if (edited) {
      isChanged ||= edited[0] !== fragment
      parts.push(...edited)
      continue
    }
    const old = textOf(touched)
    const text = replaceRanges(old, own)
    if (text === old) {
      parts.push(...touched)
      continue
    }
    isChanged = true
    parts.push(...divide(STARTS_WITH_TAG.test(text) ? text : textOf(parts.splice(-1)) + text))
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
