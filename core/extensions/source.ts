/** Where the extensions of a host come from: values given in code, or files that a loader finds. */
export interface ExtensionSource {
  /** All extensions that are there now. One that cannot be read is there with its problem. */
  list(): Promise<readonly AvailableExtension[]>
  /** Adds one from where it lies. Resolves to its id. @throws Error if there is none */
  add?(path: string): Promise<string>
  /** Why an extension of that id is not in the list, where one might be expected. */
  explainMissing?(id: string): Promise<string | undefined>
  /** Where in an extension's own files an error came from. May rewrite its stack. */
  locate?(error: unknown): Place | undefined
  /** A line of the log, with the authors' files in the stacks that it holds. */
  mapLine?(line: string): string
}

/** What is known of an extension before it runs. */
export interface ExtensionMetadata {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly description: string
  /** Whether it runs with an active license only. */
  readonly pro: boolean
}

export interface AvailableExtension extends ExtensionMetadata {
  /** Whether it is a part of the product: active until an administrator deactivates it, also in safe mode. */
  readonly isService: boolean
  /** Why it cannot run; `null` if it can. */
  readonly problem: string | null
  /** Set while it may not run until an administrator trusts it. */
  readonly trust?: (() => Promise<void>) | undefined
  /** Whether it is still where it was found. */
  isThere(): boolean
  /** @throws Error whose message says what is wrong with the code, in which file and line */
  load(): Promise<ExtensionCode>
}

/** The code of one version of an extension. */
export interface ExtensionCode {
  /** Another one for each version. */
  readonly name: string
  /** Different code has another hash. */
  readonly hash: string
  /** The file that is run first, as its author knows it: `hello/index.ts`. */
  readonly entry: string
  /** Runs the code. @returns what its file exports */
  evaluate(): unknown
  /** Called when this version has ended. */
  unload(): void
}

/** Where in an extension's own files something is. */
export interface Place {
  readonly extension: string
  /** `hello/lib/words.ts:12` */
  readonly shown: string
  /** As seen from the extension's folder: `lib/words.ts:12`. */
  readonly inFolder: string
}

/** The problem of an extension that was active when its files were deleted. */
export const FILES_MISSING = 'Its files are missing. Put them back, or deactivate it.'

/** Stands for an extension whose files were deleted. */
export function missingExtension(id: string): AvailableExtension {
  return {
    ...{ id, name: id, version: '', description: '', pro: false, isService: false, problem: FILES_MISSING },
    isThere: () => false,
    load: () => Promise.reject(new Error(FILES_MISSING)),
  }
}
