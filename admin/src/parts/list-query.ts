import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'

export interface ListQuery {
  /** From 1. */
  readonly page: number
  /** A filter as the address has it; empty where there is none. */
  get(name: string): string
  /** Sets filters and goes back to the first page; an empty value takes one away. */
  set(values: Readonly<Record<string, string>>): void
  setPage(page: number): void
}

/** What a list shows, kept in the address: going back, reloading and bookmarks work. */
export function useListQuery(): ListQuery {
  const [params, setParams] = useSearchParams()
  const set = useCallback(
    (values: Readonly<Record<string, string>>) => {
      setParams(
        (before) => {
          const next = new URLSearchParams(before)
          next.delete('page')
          for (const [name, value] of Object.entries(values)) value === '' ? next.delete(name) : next.set(name, value)
          return next
        },
        // What is typed into a search is not a place to go back to.
        { replace: 'search' in values },
      )
    },
    [setParams],
  )
  const setPage = useCallback(
    (page: number) =>
      setParams((before) => {
        const next = new URLSearchParams(before)
        page > 1 ? next.set('page', String(page)) : next.delete('page')
        return next
      }),
    [setParams],
  )
  return useMemo(() => {
    const page = Math.max(1, Number.parseInt(params.get('page') ?? '1', 10) || 1)
    return { page, get: (name) => params.get(name) ?? '', set, setPage }
  }, [params, set, setPage])
}
