import {
  keepPreviousData,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { notifyDone, notifyFailed } from '../parts/notify.ts'
import { ApiError } from './error.ts'
import { type Listed, type Query, read, readList } from './rest.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A refusal stays one; what may pass is tried again.
      retry: (tries, error) => tries < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 502),
    },
  },
})

interface ReadOptions<Answer> {
  /** Milliseconds until the next look, worked out from the last answer; `false` looks no more. */
  readonly every?: number | ((answer: Answer | undefined) => number | false)
  readonly enabled?: boolean
}

function interval<Answer>(every: ReadOptions<Answer>['every']) {
  if (typeof every !== 'function') return every
  return (query: { readonly state: { readonly data: Answer | undefined } }) => every(query.state.data)
}

/** The answer of a route, kept and shared under its path and query. */
export function useRead<Answer>(
  path: string,
  query?: Query,
  options: ReadOptions<Answer> = {},
): UseQueryResult<Answer> {
  const { every, enabled } = options
  return useQuery({
    queryKey: [path, query ?? {}],
    queryFn: ({ signal }) => read<Answer>(path, query, signal),
    enabled,
    refetchInterval: interval(every),
  })
}

/** A page of a list; the one before stays to be seen until the next is there. */
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

interface ChangeOptions<Input, Answer> {
  /** Beginnings of paths whose answers are read again: `wp/v2/posts`. */
  readonly invalidates?: readonly string[]
  /** Told when it is done. */
  readonly done?: string | ((answer: Answer, input: Input) => string)
  /** `true` where the screen shows the error itself, for example beside a field. */
  readonly quiet?: boolean
}

/** A change over a route: tells what became of it, and reads again what it changed. */
export function useChange<Input = void, Answer = unknown>(
  send: (input: Input) => Promise<Answer>,
  { invalidates = [], done, quiet = false }: ChangeOptions<Input, Answer> = {},
): UseMutationResult<Answer, Error, Input> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    async onSuccess(answer, input) {
      if (done !== undefined) notifyDone(typeof done === 'string' ? done : done(answer, input))
      await invalidate(client, invalidates)
    },
    onError(error) {
      if (!quiet) notifyFailed(error)
    },
  })
}

/** Reads again what is shown of these routes. */
export function invalidate(client: QueryClient, paths: readonly string[]): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [path] }) => typeof path === 'string' && paths.some((start) => path.startsWith(start)),
  })
}
