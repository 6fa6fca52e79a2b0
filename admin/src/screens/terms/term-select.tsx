import { plainText } from '../../parts/plain-text.ts'
import { SearchSelect } from '../../parts/search-select.tsx'
import type { TermItem } from './term.ts'

interface TermSelectProps {
  /** `wp/v2/categories` */
  readonly route: string
  readonly label: string
  /** Label of the empty option; without it, a selection is required. */
  readonly none?: string
  /** 0 if none is selected. */
  readonly value: number
  readonly onChange: (id: number) => void
  readonly exclude?: readonly number[]
}

/** Selects a term of a taxonomy. */
export function TermSelect(props: TermSelectProps) {
  return <SearchSelect<TermItem> {...props} nameOf={({ name }) => plainText(name)} />
}
