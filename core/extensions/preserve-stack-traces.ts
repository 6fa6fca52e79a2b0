/**
 * Calls code that may change how stack traces are created (`Error.stackTraceLimit`, `Error.prepareStackTrace`), as some packages do
 * temporarily. Changes are reverted when it returns: without stack traces, errors cannot be attributed to extensions.
 */
export function preserveStackTraces<Result>(work: () => Result): Result {
  const { stackTraceLimit, prepareStackTrace } = Error
  try {
    return work()
  } finally {
    // Not assigned, because that throws if they are read-only.
    if (Error.stackTraceLimit !== stackTraceLimit) Reflect.set(Error, 'stackTraceLimit', stackTraceLimit)
    if (Error.prepareStackTrace !== prepareStackTrace) Reflect.set(Error, 'prepareStackTrace', prepareStackTrace)
  }
}
