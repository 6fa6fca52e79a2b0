/** Settles as the promise does, or rejects with the signal's reason as soon as it fires: for libraries that know no signals. */
export async function abortable<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
    // After an abort nobody waits for it any more.
    work.catch(() => {})
  }
}
