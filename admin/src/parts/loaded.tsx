import { Skeleton, Stack } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { __ } from '../i18n.ts'
import { ErrorNote } from './error-note.tsx'

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>
  readonly children: (data: Data) => ReactNode
  /** Number of skeleton lines shown while loading. */
  readonly lines?: number
}

/** Shows the response of a route, a skeleton while it loads, and an error if it fails. */
export function Loaded<Data>({ query, children, lines = 3 }: LoadedProps<Data>) {
  if (query.data !== undefined) return <>{children(query.data)}</>
  if (query.error) return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
  return (
    <Stack gap="xs" role="status" aria-label={__('Loading', 'pentad')}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={line} height={18} width={line === lines - 1 ? '60%' : '100%'} />
      ))}
    </Stack>
  )
}
