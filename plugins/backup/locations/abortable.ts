/** Settles like the promise, or rejects with the signal's reason when it fires: for libraries without abort signals. */
export async function abortable<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
    // Avoids an unhandled rejection after an abort.
    work.catch(() => {})
  }
}
