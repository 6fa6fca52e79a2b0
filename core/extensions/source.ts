/** A source of extensions: values given in code, or files found by a loader. */
export interface ExtensionSource {
  /** All available extensions. One that cannot be read is listed with its problem. */
  list(): Promise<readonly AvailableExtension[]>
  /** Adds an extension from a path. Resolves to its id. @throws Error if there is none */
  add?(path: string): Promise<string>
  /** Why an extension with that id is not in the list, if there is a known reason. */
  explainMissing?(id: string): Promise<string | undefined>
  /** The extensions that should be running and require this one. */
  dependents?(id: string): readonly { readonly id: string }[]
  /** Where in an extension's own files an error occurred. May rewrite its stack. */
  locate?(error: unknown): Place | undefined
  /** Maps stack traces in a log line to the authors' source files. */
  mapLine?(line: string): string
}

/** Metadata of an extension, available before it runs. */
export interface ExtensionMetadata {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly description: string
  /** Whether it requires an active license. */
  readonly pro: boolean
}

export interface AvailableExtension extends ExtensionMetadata {
  /** Whether it is a service: active until an administrator deactivates it, even in safe mode. */
  readonly isService: boolean
  /** Why it cannot run; `null` if it can. */
  readonly problem: string | null
  /** Set while an administrator must trust it before it may run. */
  readonly trust?: (() => Promise<void>) | undefined
  /** Whether its files still exist. */
  exists(): boolean
  /** @param isActivation - Whether an administrator asked for it. @throws Error describing the problem of the code, with file and line */
  load(isActivation?: boolean): Promise<ExtensionCode>
}

/** The code of one version of an extension. */
export interface ExtensionCode {
  /** Different for each version. */
  readonly name: string
  /** Different for different code. */
  readonly hash: string
  /** The entry file, as displayed to the author: `hello/index.ts`. */
  readonly entry: string
  /** Runs the code. @returns the exports of its entry file */
  evaluate(): unknown
  /** Called after this version is unloaded. */
  unload(): void
}

/** A place in an extension's own files. */
export interface Place {
  readonly extension: string
  /** `hello/lib/words.ts:12` */
  readonly shown: string
  /** Relative to the extension's folder: `lib/words.ts:12`. */
  readonly inFolder: string
}

/** The problem of an extension whose files were deleted while it was active. */
export const FILES_MISSING = 'Its files are missing. Restore them, or deactivate the extension.'

/** A placeholder for an extension whose files were deleted. */
export function missingExtension(id: string): AvailableExtension {
  return {
    ...{ id, name: id, version: '', description: '', pro: false, isService: false, problem: FILES_MISSING },
    exists: () => false,
    load: () => Promise.reject(new Error(FILES_MISSING)),
  }
}
