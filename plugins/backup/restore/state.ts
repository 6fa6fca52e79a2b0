import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { storedCategory } from '../categories.ts'
import { createJson, readJson, writeJson } from '../json-file.ts'
import { namesIn } from '../missing-files.ts'
import type { Progress } from '../types.ts'

const amount = z.object({ files: z.number(), bytes: z.number() })

const stateSchema = z.object({
  id: z.string(),
  backupId: z.string().nullable(),
  /** Where the archive is: at a location or on this server. */
  source: z.union([
    z.object({ location: z.string(), fileName: z.string(), size: z.number() }),
    z.object({ file: z.string() }),
  ]),
  /** Whether extensions and themes may run even if this site did not sign the archive. */
  trustCode: z.boolean().default(false),
  /** Parts to restore. `null`, before the archive was opened, means all. */
  parts: z.array(storedCategory).nullable(),
  /** URL of the original site, once the archive was opened. */
  siteUrl: z.string().nullable(),
  state: z.enum(['running', 'complete', 'cancelled', 'failed']),
  stage: z.enum(['verify', 'extract', 'database', 'files', 'finish']),
  percent: z.number(),
  processed: amount,
  total: amount,
  message: z.string(),
  warnings: z.array(z.string()),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** Consecutive failed attempts of a step, for example of a download. */
  failures: z.number(),
  /** The process that works on it, with its last heartbeat. Its unpacked files cannot be used by another process. */
  worker: z.object({ id: z.string(), machine: z.string(), pid: z.number(), at: z.number() }).nullable(),
  /** Number of times a process took over the work. */
  takeovers: z.number().default(0),
  startedAt: z.string(),
  updatedAt: z.string(),
})

const decisionSchema = z.enum(['replaced', 'cancelled'])

/** State of a restore, with everything needed to resume after a crash. */
export type RestoreState = z.output<typeof stateSchema>

/**
 * States of restores, each in its own folder that no restore replaces: `<site>/tmp/restore-<id>/`. Each takeover has a file of its own, and
 * the last one counts: a process that was paused before a write cannot overwrite the state of its successor.
 */
export interface RestoreStates {
  folderOf(id: string): string
  /** Whether the site is replaced. Then a paused process may still begin to replace it with what it has prepared. */
  isDecided(id: string): Promise<boolean>
  /** Writes the state of a process that takes over. @returns `undefined` if another one did so since the state was read */
  takeOver(state: RestoreState): Promise<RestoreState | undefined>
  /** Reads a state. A restore counts as canceled as soon as that is decided, even while work is still running. */
  read(id: string): Promise<RestoreState | undefined>
  /**
   * Decides whether the site is replaced or the restore canceled, once across all processes.
   * @returns `true` if this decision was made, now or earlier
   */
  decide(id: string, decision: z.output<typeof decisionSchema>): Promise<boolean>
  /** `true` for the first call only, across crashes and processes. That caller notifies the listeners. */
  claimNotification(id: string): Promise<boolean>
  /** Writes a state, sets its time and rounds down the percentage. Without effect if another process has taken over. */
  write(state: RestoreState): Promise<RestoreState>
  list(): Promise<RestoreState[]>
  /** Id of the host's job; none for the command line. Stored in a separate file because the job may already run. */
  hostJob(id: string): Promise<string | undefined>
  saveHostJob(id: string, hostJob: string): Promise<void>
}

const NAME = /^restore-([\w-]{22})$/
const STATE_FILE = /^state(?:-(\d+))?\.json$/

/** At least 128 random bits, URL-safe. */
export function newRestoreId(): string {
  return randomBytes(16).toString('base64url')
}

export function createRestoreStates(siteDir: string): RestoreStates {
  const tmp = join(siteDir, 'tmp')
  const folderOf = (id: string) => join(tmp, `restore-${id}`)
  const decisionOf = async (id: string) =>
    decisionSchema.safeParse(await readJson(join(folderOf(id), 'decision.json'))).data
  const fileOf = (id: string, takeovers: number) =>
    join(folderOf(id), takeovers === 0 ? 'state.json' : `state-${takeovers}.json`)
  const stamped = (state: RestoreState): RestoreState => ({
    ...state,
    percent: Math.floor(state.percent),
    updatedAt: new Date().toISOString(),
  })
  const read = async (id: string): Promise<RestoreState | undefined> => {
    if (!NAME.test(`restore-${id}`)) return undefined
    const takeovers = (await namesIn(folderOf(id))).map((name) => Number(STATE_FILE.exec(name)?.[1] ?? 0))
    const state = stateSchema.safeParse(await readJson(fileOf(id, Math.max(0, ...takeovers)))).data
    if (state?.state !== 'running' || (await decisionOf(id)) !== 'cancelled') return state
    return { ...state, state: 'cancelled', message: 'Restore canceled' }
  }
  const hostJobOf = (id: string) => join(folderOf(id), 'host-job.json')
  return {
    folderOf,
    read,
    hostJob: async (id) => z.string().safeParse(await readJson(hostJobOf(id))).data,
    saveHostJob: (id, hostJob) => writeJson(hostJobOf(id), hostJob),
    async decide(id, decision) {
      return (await createJson(join(folderOf(id), 'decision.json'), decision)) || (await decisionOf(id)) === decision
    },
    claimNotification: (id) => createJson(join(folderOf(id), 'told.json'), {}),
    isDecided: async (id) => (await decisionOf(id)) === 'replaced',
    async takeOver(state) {
      const next = stamped({ ...state, takeovers: state.takeovers + 1 })
      return (await createJson(fileOf(state.id, next.takeovers), next)) ? next : undefined
    },
    async write(state) {
      const next = stamped(state)
      await writeJson(fileOf(state.id, state.takeovers), next)
      return next
    },
    async list() {
      const names = await namesIn(tmp)
      const states = await Promise.all(names.map((name) => read(NAME.exec(name)?.[1] ?? '')))
      return states.filter((state) => state !== undefined)
    },
  }
}

export function toProgress(state: RestoreState): Progress {
  const { stage, percent, processed, total, message, warnings, backupId, error, startedAt, updatedAt } = state
  const position = { jobId: state.id, kind: 'restore' as const, state: state.state, stage, percent, processed, total }
  return { ...position, message, warnings, backupId, error, startedAt, updatedAt }
}
