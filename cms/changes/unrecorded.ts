import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { toGmt } from '../../core/database/gmt.ts'
import type { Schema } from '../../core/database/index.ts'
import { currentRequest } from '../../core/http/request-context.ts'

/** Milliseconds for which changes share a row. Rows of running processes are thus never as old as those of killed ones. */
const SHARED_FOR = 20_000
/** Milliseconds after which the callbacks of a change outside of requests are over; longer than their time limit. */
const CALLBACKS = 30_000

interface Note {
  readonly id: string
  readonly begun: number
  /** IDs of the requests in progress that made changes. */
  readonly requests: Set<string>
  /** When the last change outside of requests was made. */
  lastOutside: number
  /** Whether `collected` has returned a function that stores its row. */
  isCollected: boolean
  /** Whether it is about to be removed. */
  isLeaving: boolean
}

/**
 * Changes of content whose purges are not in the change log yet. Each transaction makes sure that the log has a row of the type `content`
 * of this process; it is removed in the transaction that records the purge. If the process is killed in between, the row remains.
 */
export interface Unrecorded {
  /** Notes a change; the last statement of its transaction. */
  note(handle: Kysely<Schema>): Promise<void>
  /**
   * Notes a change whose purge is about to be recorded. Returns a function that stores the row; `undefined` if an earlier call returned
   * one for the same row, unless that failed.
   * @param isNew - Uses a new row, so that other processes notice the change although its purge may never be recorded.
   */
  collected(isNew?: boolean): ((handle: Kysely<Schema>) => Promise<void>) | undefined
  /** Runs a request. The callbacks of its changes are over when it is. */
  during<Result>(request: string, work: () => Promise<Result>): Promise<Result>
  /** IDs of rows that can be removed once the purges so far are recorded. @param all - Includes those of changes in progress. */
  take(all?: boolean): string[]
  /** The rows that `take` returned were removed, or were not. */
  end(ids: readonly string[], areRemoved: boolean): void
  /** A purge could not be recorded: the rows remain, as those of a killed process. */
  abandon(): void
  /** Whether a row with that ID belongs to a change of this process. */
  has(id: string): boolean
}

/** @param clock - Monotonic, in ms. */
export function createUnrecorded(clock: () => number = () => performance.now()): Unrecorded {
  const notes = new Map<string, Note>()
  const active = new Set<string>()
  /** Of changes in requests, and of others, so that each is removed as soon as possible. */
  const current = new Map<'inside' | 'outside', Note>()

  function noteFor(where: 'inside' | 'outside', isNew = false): Note {
    const known = current.get(where)
    if (known && !isNew && !known.isLeaving && clock() - known.begun < SHARED_FOR) return known
    const note = {
      id: randomUUID(),
      begun: clock(),
      requests: new Set<string>(),
      lastOutside: -CALLBACKS,
      isCollected: false,
      isLeaving: false,
    }
    notes.set(note.id, note)
    current.set(where, note)
    return note
  }

  /** Nothing is written if an earlier change was committed. */
  async function insert(handle: Kysely<Schema>, id: string): Promise<void> {
    await sql`insert into change_log (id, time_gmt, type, scope, urls, tags, soft, reason, cause)
      select ${id}, ${toGmt(Date.now())}, 'content', 'pages', '[]', '[]', 0, '', 'change'
      where not exists (select 1 from change_log where id = ${id})
      on conflict (id) do nothing`.execute(handle)
  }

  const isOver = ({ requests, lastOutside }: Note) => requests.size === 0 && clock() - lastOutside >= CALLBACKS

  return {
    async note(handle) {
      const request = currentRequest()?.client?.requestId
      const isInside = request !== undefined && active.has(request)
      const note = noteFor(isInside ? 'inside' : 'outside')
      if (isInside) note.requests.add(request)
      else note.lastOutside = clock()
      await insert(handle, note.id)
    },
    collected(isNew) {
      const note = noteFor('outside', isNew)
      if (note.isCollected) return undefined
      note.isCollected = true
      return async (handle) => {
        try {
          await insert(handle, note.id)
        } catch (error) {
          note.isCollected = false
          throw error
        }
      }
    },
    async during(request, work) {
      active.add(request)
      try {
        return await work()
      } finally {
        active.delete(request)
        for (const { requests } of notes.values()) requests.delete(request)
      }
    },
    take(all = false) {
      const taken = [...notes.values()].filter((note) => !note.isLeaving && (all || isOver(note)))
      for (const note of taken) note.isLeaving = true
      return taken.map(({ id }) => id)
    },
    end(ids, areRemoved) {
      for (const id of ids) {
        const note = notes.get(id)
        if (areRemoved) notes.delete(id)
        else if (note) note.isLeaving = false
      }
    },
    abandon() {
      notes.clear()
      current.clear()
    },
    has: (id) => notes.has(id),
  }
}
