import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { createJson, readJson, writeJson } from './json-file.ts'
import { namesIn } from './missing-files.ts'

const amount = z.object({ files: z.number(), bytes: z.number() })

const stateSchema = z.object({
  stage: z.string(),
  percent: z.number(),
  processed: amount,
  total: amount,
  message: z.string(),
  warnings: z.array(z.string()),
  startedAt: z.string(),
  updatedAt: z.string(),
})

/** How far a backup has come, beyond what the host keeps of every job. */
export type JobState = z.output<typeof stateSchema>

const outcomeSchema = z.object({
  state: z.enum(['complete', 'cancelled', 'failed']),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
})

/** How a backup ended. */
export type Outcome = z.output<typeof outcomeSchema>

/** Days that the state of an ended job can be asked for. */
const KEEP_DAYS = 30

/** What progress answers from, and the one place where it is decided how a job ends: files in `backups/jobs/`. */
export interface JobStates {
  read(id: string): Promise<JobState | undefined>
  write(id: string, state: JobState): Promise<void>
  outcome(id: string): Promise<Outcome | undefined>
  /** Decides how the job ends, once: whoever comes later gets what was decided. */
  decide(id: string, outcome: Outcome): Promise<Outcome>
  /** `true` for the first who asks, over all crashes: for what must not happen twice. */
  once(id: string, what: 'started' | 'told' | 'notified'): Promise<boolean>
  /** Forgets jobs of long ago. */
  prune(): Promise<void>
}

/** @param folder - `<site>/backups` */
export function createJobStates(folder: string): JobStates {
  const place = join(folder, 'jobs')
  const pathOf = (id: string, what: string) => join(place, `${id}.${what}.json`)
  const outcome = async (id: string) => outcomeSchema.safeParse(await readJson(pathOf(id, 'outcome'))).data

  return {
    outcome,
    read: async (id) => stateSchema.safeParse(await readJson(pathOf(id, 'state'))).data,
    write: (id, state) => writeJson(pathOf(id, 'state'), state),
    async decide(id, wanted) {
      if (await createJson(pathOf(id, 'outcome'), wanted)) return wanted
      return (await outcome(id)) ?? wanted
    },
    once: (id, what) => createJson(pathOf(id, what), {}),
    async prune() {
      const before = Date.now() - KEEP_DAYS * 24 * 3600 * 1000
      for (const name of await namesIn(place)) {
        const stats = await stat(join(place, name)).catch(() => undefined)
        if (stats && stats.mtimeMs < before) await rm(join(place, name), { force: true })
      }
    },
  }
}
