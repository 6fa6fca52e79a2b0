import {
  keepPreviousData,
  QueryClient,
  type UseMutateAsyncFunction,
  type UseMutateFunction,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback } from 'react'
import { notifyDone, notifyFailed } from '../parts/notify.ts'
import { ApiError } from './error.ts'
import { type Listed, type Query, read, readList } from './rest.ts'
import { useSingleFlight } from './single-flight.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Errors of the client (4xx) are final; others may be temporary and are retried.
      retry: (tries, error) => tries < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 502),
    },
  },
})

interface ReadOptions<Data> {
  /** Poll interval in ms, computed from the last response; `false` stops polling. */
  readonly every?: number | ((data: Data | undefined) => number | false)
  readonly enabled?: boolean
  /** Changes the response for display. Must be the same function each time. */
  readonly select?: (data: Data) => Data
}

function interval<Data>(every: ReadOptions<Data>['every']) {
  if (typeof every !== 'function') return every
  return (query: { readonly state: { readonly data: Data | undefined } }) => every(query.state.data)
}

/** The response of a route, cached and shared by path and query. */
export function useRead<Data>(path: string, query?: Query, options: ReadOptions<Data> = {}): UseQueryResult<Data> {
  const { every, enabled, select } = options
  return useQuery({
    queryKey: [path, query ?? {}],
    queryFn: ({ signal }) => read<Data>(path, query, signal),
    enabled,
    select,
    refetchInterval: interval(every),
  })
}

/** A page of a list; the previous page stays visible until the next one has loaded. */
export function useList<Item>(
  path: string,
  query?: Query,
  options: ReadOptions<Listed<Item>> = {},
): UseQueryResult<Listed<Item>> {
  const { every, enabled } = options
  return useQuery({
    queryKey: [path, query ?? {}],
    queryFn: ({ signal }) => readList<Item>(path, query, signal),
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: interval(every),
  })
}

interface ChangeOptions<Input, Data> {
  /** Path prefixes whose responses are fetched again: `wp/v2/posts`. */
  readonly invalidates?: readonly string[]
  /** Shown as a notification on success. */
  readonly done?: string | ((data: Data, input: Input) => string)
  /** `true` if the screen shows the error itself, for example next to a field. */
  readonly quiet?: boolean
}

/**
 * A write request: notifies the user of the result and refetches what it changed. While it is in progress, a call with an
 * equal input sends nothing, and its callbacks are ignored; calls with different inputs run concurrently.
 */
export function useChange<Input = void, Data = unknown>(
  send: (input: Input) => Promise<Data>,
  { invalidates = [], done, quiet = false }: ChangeOptions<Input, Data> = {},
): UseMutationResult<Data, Error, Input> {
  const client = useQueryClient()
  const result = useMutation({
    mutationFn: send,
    async onSuccess(data, input) {
      if (done !== undefined) notifyDone(typeof done === 'string' ? done : done(data, input))
      await invalidate(client, invalidates)
    },
    onError(error) {
      if (!quiet) notifyFailed(error)
    },
  })
  const { mutateAsync: start } = result
  const once = useSingleFlight<Input | undefined, Data>()
  const mutateAsync = useCallback<UseMutateAsyncFunction<Data, Error, Input>>(
    (...given) => once(given[0], () => start(...given)),
    [once, start],
  )
  const mutate = useCallback<UseMutateFunction<Data, Error, Input>>(
    // The error is in the result, and passed to the callbacks.
    (...given) => void mutateAsync(...given).catch(() => undefined),
    [mutateAsync],
  )
  return { ...result, mutate, mutateAsync }
}

/** Refetches everything on screen that comes from these routes. */
export function invalidate(client: QueryClient, paths: readonly string[]): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [path] }) => typeof path === 'string' && paths.some((start) => path.startsWith(start)),
  })
}
