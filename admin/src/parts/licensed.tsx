import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../api/error.ts'
import { __ } from '../i18n.ts'
import { EmptyState } from './empty-state.tsx'
import { Loaded } from './loaded.tsx'

/** Whether the route is one of those that there are only with a licence. */
export function needsLicence(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'rest_no_route'
}

/** Says that it takes a licence, and where one is entered. */
export function LicenceNote({ children }: { children: ReactNode }) {
  return (
    <EmptyState title={__('Pro license required', 'pentad')}>
      {children} {__('An administrator can enter the license key under Extensions → License.', 'pentad')}
    </EmptyState>
  )
}

interface LicensedProps<Answer> {
  readonly query: UseQueryResult<Answer>
  /** What it would show. */
  readonly what: string
  readonly children: (answer: Answer) => ReactNode
}

/** What a route answers that there is only with a licence. */
export function Licensed<Answer>({ query, what, children }: LicensedProps<Answer>) {
  if (needsLicence(query.error)) return <LicenceNote>{what}</LicenceNote>
  return <Loaded query={query}>{children}</Loaded>
}
