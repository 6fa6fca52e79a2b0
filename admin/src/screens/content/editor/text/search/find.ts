import { type Editor, Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { type EditorState, Plugin, PluginKey, TextSelection } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'

export interface Search {
  readonly text: string
  readonly isCaseSensitive: boolean
}

interface Match {
  readonly from: number
  readonly to: number
}

interface Found {
  readonly search: Search
  readonly matches: readonly Match[]
}

const NOTHING: Found = { search: { text: '', isCaseSensitive: false }, matches: [] }
const key = new PluginKey<Found>('find')

/** Highlights what `find` looks for, also in text that is typed later. */
export const Find = Extension.create({
  name: 'find',
  addProseMirrorPlugins: () => [
    new Plugin<Found>({
      key,
      state: {
        init: () => NOTHING,
        apply(tr, found) {
          const search: Search = tr.getMeta(key) ?? found.search
          if (search === found.search && !tr.docChanged) return found
          return { search, matches: matchesIn(tr.doc, search) }
        },
      },
      props: { decorations: highlights },
    }),
  ],
})

/** Matches in paragraphs, headings, captions, and all other text; not across blocks, and not in HTML blocks. */
function matchesIn(doc: Node, { text, isCaseSensitive }: Search): readonly Match[] {
  if (text === '') return []
  const pattern = new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), isCaseSensitive ? 'gu' : 'giu')
  const matches: Match[] = []
  doc.descendants((node, pos) => {
    if (!node.isTextblock) return true
    // One character for each image or line break, as each is one position.
    const content = node.textBetween(0, node.content.size, undefined, '\ufffc')
    for (const { 0: word, index } of content.matchAll(pattern)) {
      const from = pos + 1 + index
      matches.push({ from, to: from + word.length })
    }
    return false
  })
  return matches
}

function highlights(state: EditorState): DecorationSet {
  const matches = key.getState(state)?.matches ?? []
  const current = currentIn(state)
  const decorations = matches.map(({ from, to }, index) =>
    Decoration.inline(from, to, { class: index === current ? 'find-match find-current' : 'find-match' }),
  )
  return DecorationSet.create(state.doc, decorations)
}

/** Index of the selected match; -1 if none is. */
function currentIn(state: EditorState): number {
  const { from, to } = state.selection
  return key.getState(state)?.matches.findIndex((match) => match.from === from && match.to === to) ?? -1
}

export function find(editor: Editor, search: Search): void {
  editor.view.dispatch(editor.state.tr.setMeta(key, search))
}

export function stopFinding(editor: Editor): void {
  find(editor, NOTHING.search)
}

/** The number of matches, and which of them is selected, from 1; 0 if none is. */
export function progressOf({ state }: Editor): { readonly count: number; readonly current: number } {
  return { count: key.getState(state)?.matches.length ?? 0, current: currentIn(state) + 1 }
}

/** Selects the match after or before the selection; after the last one the first. */
export function goToMatch(editor: Editor, direction: -1 | 1): void {
  const { state, view } = editor
  const matches = key.getState(state)?.matches ?? []
  const { from, to } = state.selection
  const next =
    direction > 0
      ? (matches.find((match) => match.from >= to) ?? matches[0])
      : (matches.findLast((match) => match.to <= from) ?? matches.at(-1))
  if (!next) return
  view.dispatch(state.tr.setSelection(TextSelection.create(state.doc, next.from, next.to)))
  // The editor scrolls to its selection only while it has the focus.
  const { node } = view.domAtPos(next.from)
  const element = node instanceof Element ? node : node.parentElement
  element?.scrollIntoView({ block: 'center' })
}

/** Replaces the selected match and selects the next one; selects one if none is. */
export function replaceMatch(editor: Editor, replacement: string): void {
  const { state, view } = editor
  const match = key.getState(state)?.matches[currentIn(state)]
  if (match) view.dispatch(state.tr.insertText(replacement, match.from, match.to))
  goToMatch(editor, 1)
}

/** Replaces all matches in one step of the history. Blocks without a match keep their stored form. @returns how many */
export function replaceAllMatches({ state, view }: Editor, replacement: string): number {
  const matches = key.getState(state)?.matches ?? []
  const { tr } = state
  for (const { from, to } of matches.toReversed()) tr.insertText(replacement, from, to)
  view.dispatch(tr)
  return matches.length
}
