import type { z } from 'zod'
import type { Undo } from '../../core/hooks/types.ts'
import type { JsonValue } from '../../core/options/types.ts'

export type JobState = 'running' | 'complete' | 'cancelled' | 'failed'

export interface JobReport {
  /** URL-safe, at least 128 random bits. */
  readonly id: string
  readonly type: string
  readonly state: JobState
  /** 0 to 100, never goes back. */
  readonly percent: number
  readonly message: string
  readonly error: string | null
  readonly created: string
  readonly updated: string
}

export interface Tick<Data> {
  /** Id of the job. */
  readonly id: string
  /** As the last tick left it. */
  readonly data: Data
  /** Fires when the tick has used up its time, the job is cancelled or its owner is unloaded. */
  readonly signal: AbortSignal
}

/** What a tick leaves behind; it is stored before the next one starts. */
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
  /** What is stored between ticks, as JSON. It must accept its own output. */
  readonly data: Schema
  /** Works for at most about two seconds and says how far it came. Called again after a crash with the last stored data. */
  tick(tick: Tick<z.output<Schema>>): Promise<TickResult<z.output<Schema>>>
  /** Clears up after a cancelled job. */
  cancelled?(data: z.output<Schema>, id: string): Promise<void>
  /** How often a failing tick is tried again, with back-off; default 3. */
  readonly retries?: number
}

export interface JobHandle<Data> {
  start(data: Data): Promise<JobReport>
}

/** Runs at most `concurrency` tasks at once; a failing one is tried again with back-off, the oldest waiting are dropped past `limit`. */
export interface Queue<Item> {
  /** `false` if the queue was full, so that its oldest waiting item was dropped for this one, or is closed. */
  push(item: Item): boolean
  /** How many items wait or are worked on. */
  readonly size: number
  /** Resolves when nothing waits or runs. */
  idle(): Promise<void>
}

export interface QueueOptions<Item> {
  readonly name: string
  work(item: Item, signal: AbortSignal): Promise<void>
  /** Default 2. */
  readonly concurrency?: number
  /** Default 1000. */
  readonly limit?: number
  /** Milliseconds for one try; default 10,000. */
  readonly timeout?: number
  /**
   * Tries after the first; default 4, waiting 1, 2, 4, … seconds, or as long as the error says: in `retryAfterSeconds`,
   * or in `retryAfter`, the value of a `Retry-After` header.
   */
  readonly retries?: number
  /** The longest wait between two tries that the queue chooses itself, in milliseconds; default an hour. */
  readonly longestWait?: number
  /**
   * Makes one item of all that wait, also of one that waits to be tried again, so that a service that is away for
   * hours gets one call when it is back. One item is worked on at once, whatever `concurrency` says.
   */
  merge?(waiting: Item, added: Item): Item
  /**
   * What succeeded is done once more, this many milliseconds later. For services that may still take in what was true
   * before: a CDN that fetched a page just before it was purged stores it just after.
   */
  readonly repeatAfter?: number
}

export interface Jobs {
  /**
   * Calls `run` at the times of a cron pattern or of a name from the filter `cron_schedules` (`hourly`,
   * `twicedaily`, `daily`, `weekly`), in the site's time zone, once among all processes of the site.
   */
  schedule(name: string, when: string, run: (signal: AbortSignal) => void | Promise<void>): Undo
  /** When a pattern or rhythm comes next, milliseconds since 1970; `undefined` if it never does, or is none. */
  nextTime(when: string): number | undefined
  define<Schema extends z.ZodType>(definition: JobDefinition<Schema>): { job: JobHandle<z.output<Schema>>; undo: Undo }
  get(id: string): Promise<JobReport | undefined>
  list(filter?: { type?: string; state?: JobState }): Promise<JobReport[]>
  /**
   * Runs one tick now, unless another driver holds the job's lease or the job waits: for the `delayMs` its last tick
   * asked for, or to be tried again. Resolves to where the job stands.
   */
  advance(id: string): Promise<JobReport | undefined>
  /** Stops a running job for good: its tick is aborted, what it does any more is not stored, then it clears up. */
  cancel(id: string): Promise<JobReport | undefined>
  /** What a cron call from outside does: every due schedule and one tick of every running job. */
  runDue(): Promise<void>
  createQueue<Item>(options: QueueOptions<Item>): { queue: Queue<Item>; undo: Undo }
  /** Runs `work` while holding a lease that only one process of the site can hold; `undefined` if it is taken. */
  withLease<Result>(
    name: string,
    ttlMs: number,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | undefined>
}

/** The JSON that a job keeps. */
export type JobData = JsonValue
