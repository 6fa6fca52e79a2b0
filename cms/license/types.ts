/** State of the license (contract 2.4). */
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
  /** Stores a key, also one that turns out inactive, and answers its status. */
  set(key: string): Promise<LicenseStatus>
  remove(): Promise<LicenseStatus>
}
