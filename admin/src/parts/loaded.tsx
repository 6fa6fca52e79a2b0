import { Skeleton, Stack } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { __ } from '../i18n.ts'
import { ErrorNote } from './error-note.tsx'

interface LoadedProps<Answer> {
  readonly query: UseQueryResult<Answer>
  readonly children: (answer: Answer) => ReactNode
  /** Lines that stand there until the answer comes. */
  readonly lines?: number
}

/** What a route answered; until then a place for it, and if it fails why. */
export function Loaded<Answer>({ query, children, lines = 3 }: LoadedProps<Answer>) {
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
