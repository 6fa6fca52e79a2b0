import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Selection } from './data-table.tsx'

/** Parameters that change nothing of which rows are shown. */
const ELSEWHERE = ['item', 'view']

/** The chosen rows of a list; none any more as soon as others are shown, so that nothing is done to what nobody sees. */
export function useSelection(): Selection & { clear(): void } {
  const [ids, onChange] = useState<Selection['ids']>([])
  const [params] = useSearchParams()
  const shown = [...params].filter(([name]) => !ELSEWHERE.includes(name)).join('&')
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each other page or filter
  useEffect(() => onChange([]), [shown])
  return { ids, onChange, clear: () => onChange([]) }
}
