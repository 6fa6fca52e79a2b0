import type { LicenseStatus } from './types.ts'

declare module '../../core/hooks/names.ts' {
  interface AsyncActions {
    /**
     * The license has become active or inactive: a key was set or removed, or it expired.
     *
     * @param status - Its status now.
     * @since 0.1.0
     */
    license_changed: [status: LicenseStatus]
  }
}
