/** A run of text that is in both versions or in only one. */
export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Maximum size of the table of the longest common subsequence: a larger one would block the page noticeably. */
const MOST_CELLS = 4_000_000
const WORDS = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu
const LINES = /[^\n]*\n|[^\n]+/g

/** Compares two texts by words; by lines if they are long, and as a whole if they are very long. */
export function diffTexts(before: string, after: string): DiffPart[] {
  for (const tokens of [WORDS, LINES]) {
    const [old, now] = [before.match(tokens) ?? [], after.match(tokens) ?? []]
    const start = commonStart(old, now)
    const end = commonEnd(old.slice(start), now.slice(start))
    const middle = [old.slice(start, old.length - end), now.slice(start, now.length - end)] as const
    if (middle[0].length * middle[1].length > MOST_CELLS) continue
    return joined([
      { kind: 'same', text: old.slice(0, start).join('') },
      ...compare(...middle),
      { kind: 'same', text: end === 0 ? '' : old.slice(-end).join('') },
    ])
  }
  return joined([
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ])
}

function commonStart(old: readonly string[], now: readonly string[]): number {
  const most = Math.min(old.length, now.length)
  let length = 0
  while (length < most && old[length] === now[length]) length++
  return length
}

function commonEnd(old: readonly string[], now: readonly string[]): number {
  return commonStart(old.toReversed(), now.toReversed())
}

/** The longest common subsequence, from a table of suffix lengths. */
function compare(old: readonly string[], now: readonly string[]): DiffPart[] {
  const width = now.length + 1
  const lengths = new Uint32Array((old.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = now.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  const parts: DiffPart[] = []
  let row = 0
  let column = 0
  while (row < old.length || column < now.length) {
    const [gone, come] = [old[row], now[column]]
    if (gone !== undefined && gone === come) {
      parts.push({ kind: 'same', text: gone })
      row++
      column++
    } else if (gone !== undefined && (come === undefined || at(row + 1, column) >= at(row, column + 1))) {
      parts.push({ kind: 'removed', text: gone })
      row++
    } else {
      parts.push({ kind: 'added', text: come ?? '' })
      column++
    }
  }
  return parts
}

/** Merges adjacent runs of the same kind; a space between two changed words counts as changed. */
function joined(parts: readonly DiffPart[]): DiffPart[] {
  const runs: { kind: DiffPart['kind']; removed: string; added: string }[] = []
  parts.forEach(({ kind, text }, index) => {
    if (text === '') return
    const last = runs.at(-1)
    const isGap = kind === 'same' && /^\s+$/.test(text) && parts[index + 1]?.kind !== 'same' && last?.kind !== 'same'
    if (kind === 'same' && !isGap) {
      if (last?.kind === 'same') last.removed += text
      else runs.push({ kind: 'same', removed: text, added: '' })
      return
    }
    const run = last && last.kind !== 'same' ? last : { kind: 'removed' as const, removed: '', added: '' }
    if (run !== last) runs.push(run)
    if (kind !== 'added') run.removed += text
    if (kind !== 'removed') run.added += text
  })
  return runs
    .flatMap(({ kind, removed, added }): DiffPart[] =>
      kind === 'same'
        ? [{ kind, text: removed }]
        : [
            { kind: 'removed', text: removed },
            { kind: 'added', text: added },
          ],
    )
    .filter(({ text }) => text !== '')
}
