import type { LicenseStatus } from './types.ts'

declare module '../../core/hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires after the license became active or inactive: a key was set, removed or has expired.
     *
     * @param status - The new status.
     * @since 0.1.0
     */
    license_changed: [status: LicenseStatus]
  }
}
