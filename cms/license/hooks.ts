import type { LicenseStatus } from './types.ts'

declare module '../../core/hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires after the license becomes active or inactive: a key is set, is removed, or expires.
     *
     * @param status - The new status.
     * @since 0.1.0
     */
    license_changed: [status: LicenseStatus]
  }
}
