/**
 * Calls code that may change how the stacks of all errors are made (`Error.stackTraceLimit`, `Error.prepareStackTrace`), as
 * packages do for a moment. What it leaves changed is undone as soon as it returns: without stacks nobody could tell
 * whose fault an error is.
 */
export function keepStacks<Result>(work: () => Result): Result {
  const { stackTraceLimit, prepareStackTrace } = Error
  try {
    return work()
  } finally {
    // Not by assignment, which throws where they are read-only.
    if (Error.stackTraceLimit !== stackTraceLimit) Reflect.set(Error, 'stackTraceLimit', stackTraceLimit)
    if (Error.prepareStackTrace !== prepareStackTrace) Reflect.set(Error, 'prepareStackTrace', prepareStackTrace)
  }
}
