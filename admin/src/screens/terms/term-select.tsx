import { FoundSelect } from '../../parts/found-select.tsx'
import { plainText } from '../../parts/plain-text.ts'
import type { TermItem } from './term.ts'

interface TermSelectProps {
  /** `wp/v2/categories` */
  readonly route: string
  readonly label: string
  /** What stands there for none; left out, one has to be chosen. */
  readonly none?: string
  /** 0 for none. */
  readonly value: number
  readonly onChange: (id: number) => void
  readonly exclude?: readonly number[]
}

/** Chooses one term of a taxonomy. */
export function TermSelect(props: TermSelectProps) {
  return <FoundSelect<TermItem> {...props} nameOf={({ name }) => plainText(name)} />
}
