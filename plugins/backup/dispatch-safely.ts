import type { Logger } from 'pentad'

/**
 * Tells extensions of what has happened. Nobody can refuse it any more: of one that tries by a `RestError` the log says
 * so, and what is left to do is done.
 */
export async function dispatchSafely(log: Pick<Logger, 'error'>, telling: () => Promise<void>): Promise<void> {
  try {
    await telling()
  } catch (error) {
    log.error({ err: error }, 'an extension refused what has happened already')
  }
}
