import type { CoreAuth } from '../../core/auth/types.ts'

declare module '../../core/auth/capability-names.ts' {
  interface Capabilities {
    read_changes: true
  }
}

/** Adds the capability to read the change log, and a role for caches that has no other. */
export function addChangeCapabilities(auth: Pick<CoreAuth, 'addRole' | 'addCapabilities'>): void {
  auth.addCapabilities('administrator', ['read_changes'])
  auth.addRole('cache', 'Cache client', ['read_changes'])
}
