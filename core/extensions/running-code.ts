/** An extension, as reported to the thread that monitors the main thread. */
export interface CodeOwner {
  readonly extension: string
  /** Whether it is one of the services. */
  readonly isService: boolean
}

/**
 * Number of the extension whose code the main thread is running; 0 for code of the product. In shared memory, because the main thread
 * cannot be interrupted in native code (a synchronous call of Node, an SQLite query, a garbage collection).
 */
export const running = new Int32Array(new SharedArrayBuffer(4))
/** By number, starting at 1. */
const owners: CodeOwner[] = []
let listener: ((number: number, owner: CodeOwner) => void) | undefined

/** The number of an extension, the same for all of its versions. */
export function numberOf(extension: string, isService: boolean): number {
  const at = owners.findIndex((owner) => owner.extension === extension)
  if (at >= 0) return at + 1
  const owner = { extension, isService }
  const number = owners.push(owner)
  listener?.(number, owner)
  return number
}

/**
 * Runs code of an extension through `call`. Not atomic: the reader only polls once per second.
 *
 * @param call - Separate from `work`, because a closure around both would cost more than the rest.
 */
export function runAs<Result>(number: number, call: (work: () => Result) => Result, work: () => Result): Result {
  const before = running[0] ?? 0
  running[0] = number
  try {
    return call(work)
  } finally {
    running[0] = before
  }
}

/** @param onOwner - Called immediately for each numbered extension, and later for each new one. */
export function listenToOwners(onOwner: (number: number, owner: CodeOwner) => void): void {
  listener = onOwner
  for (const [at, owner] of owners.entries()) onOwner(at + 1, owner)
}
