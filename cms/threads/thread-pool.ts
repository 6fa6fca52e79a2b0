import { createRequire, getCompileCacheDir } from 'node:module'
import type { ResourceLimits, Worker } from 'node:worker_threads'
import type { Piscina } from 'piscina'

interface ThreadPoolOptions {
  /** Maximum number of concurrent threads. */
  readonly maxThreads: number
  /** Idle time in milliseconds after which a thread ends. */
  readonly idleTimeout: number
  readonly resourceLimits?: ResourceLimits
}

/** A pool of worker threads. Threads start on demand and do not keep the process alive. */
export interface ThreadPool {
  /**
   * @typeParam Result Return type of the function in the file.
   * @param signal - Terminates the thread during the task.
   * @throws Error of the task, of a thread that ended prematurely, or of one that could not start.
   */
  run<Result>(task: unknown, signal?: AbortSignal): Promise<Result>
  /** Those that run now. */
  readonly threads: readonly Worker[]
  /** Ends all threads. */
  close(): Promise<void>
}

const require = createRequire(import.meta.url)

/** @param file - Exports the function that does a task. */
export function createThreadPool(file: URL, options: ThreadPoolOptions): ThreadPool {
  let pool: Piscina | undefined
  const unfinished = new Set<AbortController>()

  /** Loaded when there is work: a start need not wait for it. */
  function open(): Piscina {
    // If a file cannot be opened, `require` retries the next time; a failed `import` is cached forever.
    const { Piscina }: typeof import('piscina') = require('piscina')
    const cache = getCompileCacheDir()
    const opened = new Piscina({
      ...options,
      filename: file.href,
      minThreads: 0,
      // Threads do not take over the cache of compiled code. With it they need not load the compiler of TypeScript.
      env: { ...process.env, ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) },
    })
    // A thread could not start, for example without file descriptors. The pool starts another one only for a further task, so waiting tasks
    // would hang; and an unhandled error would end the process.
    opened.on('error', (error) => {
      for (const task of unfinished) task.abort(error)
    })
    return opened
  }

  return {
    async run(task, signal) {
      pool ??= open()
      const failed = new AbortController()
      unfinished.add(failed)
      try {
        return await pool.run(task, { signal: signal ? AbortSignal.any([signal, failed.signal]) : failed.signal })
      } catch (error) {
        throw failed.signal.aborted ? failed.signal.reason : error
      } finally {
        unfinished.delete(failed)
      }
    },
    get threads() {
      return pool?.threads ?? []
    },
    async close() {
      await pool?.destroy()
    },
  }
}
