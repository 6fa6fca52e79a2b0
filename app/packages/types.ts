import type { Advisory } from './advisories.ts'
import type { FoundPackage } from './registry.ts'
import type { PackageSource } from './source.ts'

export interface InstallOptions {
  /** Whether to activate a new extension. An update keeps the state. */
  readonly activate?: boolean
  /** Whether to install a release that the release delay holds back. */
  readonly ignoresDelay?: boolean
  /** Whether to install a version with known vulnerabilities, or without a lookup if the advisory database is unavailable. */
  readonly ignoresAdvisories?: boolean
  /** What an active extension may do in addition to what was consented to: texts that an administrator saw, or `all`. */
  readonly permissions?: readonly string[] | 'all'
  /** What was uploaded, for display in place of a temporary path. */
  readonly from?: string
}

/** An extension that was installed or updated. */
export interface InstalledExtension {
  readonly id: string
  readonly name: string
  readonly version: string
  /** `null` for a new extension. */
  readonly previousVersion: string | null
}

/** A newer version of an installed extension. */
export interface AvailableUpdate {
  readonly id: string
  readonly package: string
  readonly version: string
  readonly newest: string
  /** ISO 8601: when the release delay ends; `null` if it can be installed now. */
  readonly heldUntil: string | null
}

/** An installed version with known vulnerabilities. */
export interface VulnerableExtension {
  readonly id: string
  readonly package: string
  readonly version: string
  readonly advisories: readonly Advisory[]
}

/** A result of a search, and the extension that was installed from it. */
export interface SearchResult extends FoundPackage {
  readonly installedId: string | null
}

/** Where an installed version comes from, and what was verified when it was installed. */
export interface PackageOrigin {
  readonly version: string
  /** Name in the registry; `null` for a file or URL. */
  readonly package: string | null
  /** What was entered or uploaded. */
  readonly from: string
  /** ISO 8601. */
  readonly installed: string
  /** The checksum of the file, `sha512-…`; that of the registry, if it comes from there. `null` for a folder. */
  readonly integrity: string | null
  /** The ID of the registry's key whose signature is valid; `null` if there is no signature. */
  readonly signedBy: string | null
  /** Whether the registry has a statement about where it was built. */
  readonly hasProvenance: boolean
  /** The workflow that built it, according to the verified statement; `null` without one, or if it could not be verified. */
  readonly provenance: string | null
}

/** Installs, updates, and removes extensions. Operations are serialized among the processes of the site. */
export interface Packages {
  /**
   * Installs an extension, or replaces its installed version. If it is active and the new version fails in `setup` or in a migration, the
   * previous version stays.
   *
   * @throws RestError `package_invalid`, `package_not_found`, `package_unavailable`, `package_conflict`, `extension_failed`, `extension_permissions_added`,
   * `extension_vulnerable`, `file_mods_disallowed`
   */
  install(source: PackageSource, options?: InstallOptions): Promise<InstalledExtension>
  /** Updates an extension from the registry; `undefined` if there is nothing newer. @throws RestError */
  update(
    id: string,
    options?: Pick<InstallOptions, 'ignoresAdvisories' | 'ignoresDelay' | 'permissions'>,
  ): Promise<InstalledExtension | undefined>
  /** Newer versions of the extensions that were installed from the registry. An unavailable package is skipped and logged. */
  outdated(): Promise<readonly AvailableUpdate[]>
  /**
   * The installed extensions from the registry that the advisory database has advisories for. If the database is unavailable, a
   * warning is logged and the result is empty.
   */
  vulnerable(): Promise<readonly VulnerableExtension[]>
  /**
   * Deactivates an extension and deletes its files. With `withData`, its `uninstall` runs, and its settings and its record of migrations
   * are deleted.
   *
   * @throws RestError `extension_not_found`, `package_conflict`, `extension_failed`, `file_mods_disallowed`
   */
  remove(id: string, options?: { readonly withData?: boolean }): Promise<void>
  /** Where an extension comes from; `undefined` if it was not installed as a package. */
  origin(id: string): PackageOrigin | undefined
  /** Searches the registry for extensions. */
  search(words: string): Promise<readonly SearchResult[]>
}
