import { createRequire, getCompileCacheDir } from 'node:module'
import type { ResourceLimits, Worker } from 'node:worker_threads'
import type { Piscina } from 'piscina'

interface ThreadPoolOptions {
  /** How many threads run at once, at most. */
  readonly maxThreads: number
  /** Milliseconds after which a thread ends for want of work. */
  readonly idleTimeout: number
  readonly resourceLimits?: ResourceLimits
}

/** Threads that do tasks. None runs until there is work, and they do not keep the process. */
export interface ThreadPool {
  /**
   * @typeParam Answer - What the function of the file returns for the task.
   * @param signal - Ends the thread in the middle of the task.
   * @throws Error of the task, of a thread that ended before it answered, or of one that could not start.
   */
  run<Answer>(task: unknown, signal?: AbortSignal): Promise<Answer>
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
    // Where one of its files cannot be opened, `require` tries again the next time; `import` would fail for ever.
    const { Piscina }: typeof import('piscina') = require('piscina')
    const cache = getCompileCacheDir()
    const opened = new Piscina({
      ...options,
      filename: file.href,
      minThreads: 0,
      // Threads do not take over the cache of compiled code. With it they need not load the compiler of TypeScript.
      env: { ...process.env, ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) },
    })
    // A thread could not start, for example for want of file descriptors. The pool starts no other until there is a further
    // task, so those that wait would wait for ever; and an error that nobody listens to would end the process.
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
