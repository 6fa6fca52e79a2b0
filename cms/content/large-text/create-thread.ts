import { RestError } from '../../../core/errors.ts'
import { createSemaphore } from '../../../core/threads/semaphore.ts'
import { createThreadPool } from '../../threads/thread-pool.ts'

/** Idle time in milliseconds after which the thread ends. */
const IDLE_MS = 30_000
/** Memory limit of the thread, in MB: many times what the largest texts need. */
const MEMORY = { maxYoungGenerationSizeMb: 48, maxOldGenerationSizeMb: 256 }

/** A worker thread that runs one task at a time. Starts on demand and does not keep the process alive. */
export interface Thread<Task, Result> {
  /**
   * @throws RestError 503 `text_took_too_long` for a task that exceeds the limit, which does not include tasks before it; 500
   *   `text_not_processed` if the thread ended, for example out of memory, or could not start. The next task then gets a new thread.
   */
  run(task: Task): Promise<Result>
}

/**
 * @param file exports the function that does a task
 * @param limit milliseconds for one task
 */
export function createThread<Task, Result>(file: URL, limit: number): Thread<Task, Result> {
  const pool = createThreadPool(file, { maxThreads: 1, idleTimeout: IDLE_MS, resourceLimits: MEMORY })
  const exclusive = createSemaphore(1)

  async function runNow(task: Task): Promise<Result> {
    const signal = AbortSignal.timeout(limit)
    try {
      // The thread is ended, as nothing else stops what it is doing.
      return await pool.run<Result>(task, signal)
    } catch (cause) {
      throw signal.aborted ? tookTooLong(limit) : notProcessed(cause)
    }
  }

  return { run: (task) => exclusive(() => runNow(task)) }
}

function tookTooLong(limit: number): RestError {
  const message = `Processing the text took more than ${limit / 1000} seconds. Shorten it, or try again later.`
  return new RestError('text_took_too_long', message, { status: 503 })
}

function notProcessed(cause: unknown): RestError {
  const error = new RestError('text_not_processed', 'The text could not be processed. Shorten it, or try again.', {
    status: 500,
  })
  error.cause = cause
  return error
}
