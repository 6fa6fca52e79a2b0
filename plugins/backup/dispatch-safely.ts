import type { Logger } from 'pentad'

/**
 * Dispatches an action about something that has already happened. A `RestError` of a callback can no longer reject it;
 * it is logged and ignored.
 */
export async function dispatchSafely(log: Pick<Logger, 'error'>, dispatch: () => Promise<void>): Promise<void> {
  try {
    await dispatch()
  } catch (error) {
    log.error({ err: error }, 'action callback failed, error ignored')
  }
}
