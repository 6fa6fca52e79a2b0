import type { z } from 'zod'
import type { Undo } from '../../core/hooks/types.ts'
import type { JsonValue } from '../../core/options/types.ts'

export type JobState = 'running' | 'complete' | 'cancelled' | 'failed'

export interface JobReport {
  /** URL-safe, at least 128 random bits. */
  readonly id: string
  readonly type: string
  readonly state: JobState
  /** 0 to 100, never decreases. */
  readonly percent: number
  readonly message: string
  readonly error: string | null
  readonly created: string
  readonly updated: string
}

export interface Tick<Data> {
  /** Id of the job. */
  readonly id: string
  /** As stored by the last tick. */
  readonly data: Data
  /** Aborted when the tick has used up its time, the job is canceled or its owner is unloaded. */
  readonly signal: AbortSignal
}

/** Result of a tick, stored before the next one starts. */
export type TickResult<Data> =
  | {
      readonly done: false
      readonly data: Data
      readonly percent?: number
      readonly message?: string
      readonly delayMs?: number
    }
  | { readonly done: true; readonly data?: Data; readonly message?: string }

export interface JobDefinition<Schema extends z.ZodType> {
  /** Unique name: `backup`. */
  readonly type: string
  /** Schema of the data stored between ticks, as JSON. It must accept its own output. */
  readonly data: Schema
  /** Works for about two seconds at most, and returns the progress. Called again with the last stored data after a crash. */
  tick(tick: Tick<z.output<Schema>>): Promise<TickResult<z.output<Schema>>>
  /** Cleans up after a canceled job. */
  cancelled?(data: z.output<Schema>, id: string): Promise<void>
  /** Number of retries of a failing tick, with back-off; default 3. */
  readonly retries?: number
  /**
   * Whether this process may process the job, for jobs that need files on one machine. Default: `true`.
   * @param idle - Milliseconds for which it has been due, and no process has worked on it: another machine may take it over.
   */
  runsHere?(data: z.output<Schema>, idle: number): boolean | Promise<boolean>
}

export interface JobHandle<Data> {
  start(data: Data): Promise<JobReport>
}

/**
 * Runs at most `concurrency` tasks at once. Failing ones are retried with back-off; beyond `limit`, the oldest waiting ones are dropped.
 */
export interface Queue<Item> {
  /** `false` if the queue was full, so that its oldest waiting item was dropped for this one, or is closed. */
  push(item: Item): boolean
  /** Number of items waiting or in progress. */
  readonly size: number
  /** Resolves when no item is waiting or in progress. */
  idle(): Promise<void>
}

export interface QueueOptions<Item> {
  readonly name: string
  work(item: Item, signal: AbortSignal): Promise<void>
  /** Default 2. */
  readonly concurrency?: number
  /** Default 1000. */
  readonly limit?: number
  /** Time limit of one attempt, in milliseconds; default 10,000. */
  readonly timeout?: number
  /**
   * Number of retries; default 4, after 1, 2, 4, … seconds, or after the time that the error specifies: `retryAfterSeconds`,
   * or `retryAfter`, the value of a `Retry-After` header.
   */
  readonly retries?: number
  /** Maximum back-off between two attempts, in milliseconds; default one hour. */
  readonly longestWait?: number
  /**
   * Merges waiting items into one, including those waiting for a retry, so that a service that was unavailable for hours gets a single
   * call. Items are then processed one at a time, regardless of `concurrency`.
   */
  merge?(waiting: Item, added: Item): Item
  /**
   * Repeats successful items once, after this many milliseconds. For services that may have received outdated data at the same time: a CDN
   * that fetched a page just before a purge stores it just after.
   */
  readonly repeatAfter?: number
}

export interface Jobs {
  /**
   * Calls `run` at the times of a cron pattern or of a name from the `cron_schedules` filter (`hourly`,
   * `twicedaily`, `daily`, `weekly`), in the site's time zone, once among all processes of the site. If the process is killed during a call,
   * another one repeats the call, once.
   */
  schedule(name: string, when: string, run: (signal: AbortSignal) => void | Promise<void>): Undo
  /** Next time of a pattern or recurrence, in milliseconds since the epoch; `undefined` if there is none, or it is invalid. */
  nextTime(when: string): number | undefined
  define<Schema extends z.ZodType>(definition: JobDefinition<Schema>): { job: JobHandle<z.output<Schema>>; undo: Undo }
  get(id: string): Promise<JobReport | undefined>
  list(filter?: { type?: string; state?: JobState }): Promise<JobReport[]>
  /**
   * Runs one tick now, unless another driver holds the job's lease or the job waits: for the `delayMs` of its last tick, or for a retry.
   * Resolves to the state of the job.
   */
  advance(id: string): Promise<JobReport | undefined>
  /** Cancels a running job: its tick is aborted, further results are not stored, then it cleans up. */
  cancel(id: string): Promise<JobReport | undefined>
  /**
   * Runs the work of an external cron call: every due schedule, and one tick of every running job. Also waits for schedules that this process
   * is running already, for at most two minutes; not if a schedule calls it.
   */
  runDue(): Promise<void>
  createQueue<Item>(options: QueueOptions<Item>): { queue: Queue<Item>; undo: Undo }
  /** Runs `work` while holding a lease that only one process of the site can hold; `undefined` if it is taken. */
  withLease<Result>(
    name: string,
    ttlMs: number,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | undefined>
}

/** The stored data of a job. */
export type JobData = JsonValue
