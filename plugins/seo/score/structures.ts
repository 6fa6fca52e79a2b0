/** A list or table that tells something. */
export interface Structure {
  readonly kind: 'list' | 'table'
  readonly text: string
}

const LISTS = new Set(['ul', 'ol', 'dl'])
const ITEMS = new Set(['li', 'dt'])

interface Open {
  readonly kind: Structure['kind']
  text: string
  /** Items of a list, rows of a table. */
  items: number
  /** Most cells of a row, and those of the last one. */
  columns: number
  cells: number
}

/** Notes the lists and tables of a text as a parser comes by: a list in a list is a part of it. */
export function createStructures() {
  const found: Open[] = []
  /** Those within which the parser is, the outermost first. */
  const within: Open[] = []
  let listDepth = 0

  function begin(kind: Structure['kind']): void {
    within.push({ kind, text: '', items: 0, columns: 0, cells: 0 })
  }
  function end(kind: Structure['kind']): void {
    if (within.at(-1)?.kind === kind) found.push(...within.splice(-1))
  }

  return {
    open(name: string, attributes: Readonly<Record<string, string>>): void {
      if (LISTS.has(name) && listDepth++ === 0) begin('list')
      // Tables for the layout say so (WAI-ARIA 1.2, presentation).
      if (name === 'table' && !/^(?:presentation|none)$/.test(attributes.role ?? '')) begin('table')
      const last = within.at(-1)
      if (last?.kind === 'list' && listDepth === 1 && ITEMS.has(name)) last.items++
      if (last?.kind !== 'table') return
      if (name === 'tr') {
        last.items++
        last.cells = 0
      }
      if (name === 'td' || name === 'th') last.columns = Math.max(last.columns, ++last.cells)
    },
    close(name: string): void {
      if (LISTS.has(name) && --listDepth === 0) end('list')
      if (name === 'table') end('table')
    },
    text(text: string): void {
      for (const structure of within) structure.text += text
    },
    /** Those with several items; a table of one row or column only keeps things in place. */
    list(): Structure[] {
      return found
        .map(({ kind, text, items, columns }) => ({ kind, text: text.replace(/\s+/g, ' ').trim(), items, columns }))
        .filter(({ kind, text, items, columns }) => text !== '' && items > 1 && (kind === 'list' || columns > 1))
    },
  }
}
