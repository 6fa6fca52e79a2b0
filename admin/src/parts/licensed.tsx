import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../api/error.ts'
import { __ } from '../i18n.ts'
import { EmptyState } from './empty-state.tsx'
import { Loaded } from './loaded.tsx'

/** Whether the error means that the route requires a license. */
export function needsLicense(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'rest_no_route'
}

/** Explains that a license is required, and where to enter its key. */
export function LicenseNote({ children }: { children: ReactNode }) {
  return (
    <EmptyState title={__('Pro license required', 'pentad')}>
      {children} {__('An administrator can enter the license key under Extensions → License.', 'pentad')}
    </EmptyState>
  )
}

interface LicensedProps<Data> {
  readonly query: UseQueryResult<Data>
  /** A description of the licensed feature. */
  readonly what: string
  readonly children: (data: Data) => ReactNode
}

/** Shows the response of a route that exists only with a license. */
export function Licensed<Data>({ query, what, children }: LicensedProps<Data>) {
  if (needsLicense(query.error)) return <LicenseNote>{what}</LicenseNote>
  return <Loaded query={query}>{children}</Loaded>
}
