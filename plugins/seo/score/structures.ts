/** A list or table with content. */
export interface Structure {
  readonly kind: 'list' | 'table'
  readonly text: string
}

const LISTS = new Set(['ul', 'ol', 'dl'])
const ITEMS = new Set(['li', 'dt'])

interface Open {
  readonly kind: Structure['kind']
  text: string
  /** Items of a list, or rows of a table. */
  items: number
  /** Maximum number of cells in a row, and cells of the last row. */
  columns: number
  cells: number
}

/** Collects lists and tables during parsing; a nested list belongs to the outer one. */
export function createStructures() {
  const found: Open[] = []
  /** Open elements, outermost first. */
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
      // Layout tables have the role presentation (WAI-ARIA 1.2).
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
    /** Structures with several items; a table with one row or column is used for layout. */
    list(): Structure[] {
      return found
        .map(({ kind, text, items, columns }) => ({ kind, text: text.replace(/\s+/g, ' ').trim(), items, columns }))
        .filter(({ kind, text, items, columns }) => text !== '' && items > 1 && (kind === 'list' || columns > 1))
    },
  }
}
