/** An extension as a thread names it that reads whose code the main thread runs. */
export interface CodeOwner {
  readonly extension: string
  /** Whether it is a part of the product. */
  readonly isService: boolean
}

/**
 * The number of the extension whose code the main thread runs, 0 for the product's. In shared memory: while the main
 * thread is in native code (a synchronous call of Node, a query of SQLite, a garbage collection) nothing can interrupt it to ask.
 */
export const running = new Int32Array(new SharedArrayBuffer(4))
/** In the order of their numbers, the first of which is 1. */
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
 * Has `call` call code of an extension. Not atomic, since the reader waits for seconds.
 *
 * @param call - Apart from `work`: a closure around both would take longer than the rest.
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

/** @param onOwner - Called at once for each extension that has a number, and later for each that gets one. */
export function listenToOwners(onOwner: (number: number, owner: CodeOwner) => void): void {
  listener = onOwner
  for (const [at, owner] of owners.entries()) onOwner(at + 1, owner)
}
