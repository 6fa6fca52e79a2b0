import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { createJson, readJson, writeJson } from './json-file.ts'
import { namesIn } from './missing-files.ts'
import type { SharedFiles } from './shared-files.ts'

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

/** Progress of a backup, in addition to what the host stores for every job. */
export type JobState = z.output<typeof stateSchema>

const outcomeSchema = z.object({
  state: z.enum(['complete', 'cancelled', 'failed']),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
})

/** How a backup ended. */
export type Outcome = z.output<typeof outcomeSchema>

/** Days for which the state of a finished job remains available. */
const KEEP_DAYS = 30

/**
 * Progress and outcome of jobs, stored as files in `backups/jobs/`, on this machine or in the bucket of the site. The single place where the outcome of a job is
 * decided.
 */
export interface JobStates {
  read(id: string): Promise<JobState | undefined>
  write(id: string, state: JobState): Promise<void>
  outcome(id: string): Promise<Outcome | undefined>
  /** Decides the outcome, once. Later calls receive the first decision. */
  decide(id: string, outcome: Outcome): Promise<Outcome>
  /** Replaces the outcome of a backup that was complete, but could not be listed. */
  fail(id: string, error: Outcome['error']): Promise<void>
  /** `true` for the first call only, across crashes: for side effects that must not happen twice. */
  once(id: string, what: 'started' | 'told' | 'notified'): Promise<boolean>
  /** Removes the states of old jobs of all nodes. */
  prune(): Promise<void>
}

/**
 * @param folder - `<site>/backups`
 * @param shared - The folder in the bucket of the site.
 */
export function createJobStates(folder: string, shared?: SharedFiles): JobStates {
  const place = join(folder, 'jobs')
  const fileOf = (id: string, what: string) => `jobs/${id}.${what}.json`
  const pathOf = (id: string, what: string) => join(folder, fileOf(id, what))
  const outcome = async (id: string) => outcomeSchema.safeParse(await read(id, 'outcome')).data

  async function read(id: string, what: string): Promise<unknown> {
    if (shared && !(await shared.pull(fileOf(id, what)))) return undefined
    return readJson(pathOf(id, what))
  }

  async function replace(id: string, what: string, value: unknown): Promise<void> {
    await shared?.push(Buffer.from(JSON.stringify(value)), fileOf(id, what))
    await writeJson(pathOf(id, what), value)
  }

  const create = (id: string, what: string, value: unknown) =>
    createJson(pathOf(id, what), value, shared && ((from) => shared.place(from, fileOf(id, what))))

  return {
    outcome,
    read: async (id) => stateSchema.safeParse(await read(id, 'state')).data,
    write: (id, state) => replace(id, 'state', state),
    async decide(id, wanted) {
      if (await create(id, 'outcome', wanted)) return wanted
      return (await outcome(id)) ?? wanted
    },
    fail: (id, error) => replace(id, 'outcome', { state: 'failed', error } satisfies Outcome),
    once: (id, what) => create(id, what, {}),
    async prune() {
      const before = Date.now() - KEEP_DAYS * 24 * 3600 * 1000
      const own = new Set(await namesIn(place))
      const stored = (await shared?.names('jobs', '')) ?? []
      const others = stored.filter((name) => name.endsWith('.json') && !own.has(name))
      for (const name of others) await shared?.pull(`jobs/${name}`)
      for (const name of [...own, ...others]) {
        const stats = await stat(join(place, name)).catch(() => undefined)
        if (!stats || stats.mtimeMs >= before) continue
        await shared?.remove(`jobs/${name}`)
        await rm(join(place, name), { force: true })
      }
    },
  }
}
