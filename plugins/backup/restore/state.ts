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
  /** Where the archive lies: at a location, or on this machine. */
  source: z.union([
    z.object({ location: z.string(), fileName: z.string(), size: z.number() }),
    z.object({ file: z.string() }),
  ]),
  /** Whether its extensions and themes may run though this site did not sign them: the owner has said so. */
  trustCode: z.boolean().default(false),
  /** `null` before the archive was opened: all that it holds. */
  parts: z.array(storedCategory).nullable(),
  /** URL of the site that the archive was made of, once it was opened. */
  siteUrl: z.string().nullable(),
  state: z.enum(['running', 'complete', 'cancelled', 'failed']),
  stage: z.enum(['verify', 'extract', 'database', 'files', 'finish']),
  percent: z.number(),
  processed: amount,
  total: amount,
  message: z.string(),
  warnings: z.array(z.string()),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** Tries of a step that failed for a while, for example of a download. */
  failures: z.number(),
  /** The process that works on it, and when it last did: what it has unpacked and opened, no other can go on with. */
  worker: z.object({ id: z.string(), machine: z.string(), pid: z.number(), at: z.number() }).nullable(),
  startedAt: z.string(),
  updatedAt: z.string(),
})

const decisionSchema = z.enum(['replaced', 'cancelled'])

/** A restore: where it stands, and all that it needs to go on after a crash. */
export type RestoreState = z.output<typeof stateSchema>

/** Restores, each in a folder of its own outside of what any restore replaces: `<site>/tmp/restore-<id>/`. */
export interface RestoreStates {
  folderOf(id: string): string
  /** One that is decided to be cancelled is cancelled from that moment on, whatever is still at work. */
  read(id: string): Promise<RestoreState | undefined>
  /**
   * Decides whether the site is replaced or the restore cancelled, once among all processes.
   * @returns `true` if it is decided so, now or before
   */
  decide(id: string, decision: z.output<typeof decisionSchema>): Promise<boolean>
  /** `true` for the first who asks, over all crashes and processes: whoever tells how the restore has ended. */
  claimNotification(id: string): Promise<boolean>
  /** Sets the time, and takes the percentage down to a whole one. */
  write(state: RestoreState): Promise<RestoreState>
  list(): Promise<RestoreState[]>
  /** Id that the host knows the job by; none for one of the command line. In a file of its own: the job may have begun. */
  hostJob(id: string): Promise<string | undefined>
  saveHostJob(id: string, hostJob: string): Promise<void>
}

const NAME = /^restore-([\w-]{22})$/

/** At least 128 random bits, URL-safe. */
export function newRestoreId(): string {
  return randomBytes(16).toString('base64url')
}

export function createRestoreStates(siteDir: string): RestoreStates {
  const tmp = join(siteDir, 'tmp')
  const folderOf = (id: string) => join(tmp, `restore-${id}`)
  const decisionOf = async (id: string) =>
    decisionSchema.safeParse(await readJson(join(folderOf(id), 'decision.json'))).data
  const read = async (id: string): Promise<RestoreState | undefined> => {
    if (!NAME.test(`restore-${id}`)) return undefined
    const state = stateSchema.safeParse(await readJson(join(folderOf(id), 'state.json'))).data
    if (state?.state !== 'running' || (await decisionOf(id)) !== 'cancelled') return state
    return { ...state, state: 'cancelled', message: 'The restore was cancelled' }
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
    async write(state) {
      const next = { ...state, percent: Math.floor(state.percent), updatedAt: new Date().toISOString() }
      await writeJson(join(folderOf(state.id), 'state.json'), next)
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
