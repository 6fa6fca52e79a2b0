import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'

export interface ListQuery {
  /** Starts at 1. */
  readonly page: number
  /** A filter value from the URL; empty if not set. */
  get(name: string): string
  /** Sets filters and returns to the first page; an empty value removes a filter. */
  set(values: Readonly<Record<string, string>>): void
  setPage(page: number): void
}

/** The state of a list, stored in the URL, so that back, reload, and bookmarks work. */
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
        // Typing in the search field replaces the history entry.
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
