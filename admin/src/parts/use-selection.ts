import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Selection } from './data-table.tsx'

/** URL parameters that do not affect which rows are listed. */
const ELSEWHERE = ['item', 'view']

/**
 * The selected rows of a list. Listing other rows clears the selection, so that no action applies to rows that are not
 * visible.
 */
export function useSelection(): Selection & { clear(): void } {
  const [ids, onChange] = useState<Selection['ids']>([])
  const [params] = useSearchParams()
  const shown = [...params].filter(([name]) => !ELSEWHERE.includes(name)).join('&')
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each other page or filter
  useEffect(() => onChange([]), [shown])
  return { ids, onChange, clear: () => onChange([]) }
}
