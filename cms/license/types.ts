/** State of the license. */
export interface LicenseStatus {
  readonly active: boolean
  readonly plan: string | null
  readonly licensee: string | null
  /** ISO 8601 or `null` for never. */
  readonly expires: string | null
  /** Why it is not active; `null` if it is. */
  readonly reason: string | null
}

export interface License {
  status(): LicenseStatus
  readonly active: boolean
  /** Stores a key, even if it is inactive, and resolves to its status. */
  set(key: string): Promise<LicenseStatus>
  /**
   * Like `set`, but does not replace an active license with a key that is not valid.
   * @throws RestError 400 `invalid_license_key`, with the reason in its data; the current license stays active
   */
  replace(key: string): Promise<LicenseStatus>
  remove(): Promise<LicenseStatus>
}
