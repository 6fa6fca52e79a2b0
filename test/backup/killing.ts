/** Kills the processes of jobs at random moments of all their stages. */
import { setTimeout as wait } from 'node:timers/promises'
import { randomsOf } from '../support/randoms.ts'

export interface KilledJobs<Job, Site> {
  /** Names of the stages in their order. */
  readonly stages: readonly string[]
  /** Milliseconds that each stage takes where nobody disturbs it. */
  readonly times: ReadonlyMap<string, number>
  readonly kills: number
  readonly seed: string
  begin(site: Site): Promise<Job>
  /** Where the job stands, as it has written it down; `undefined` when it has ended. */
  stageOf(job: Job): Promise<string | undefined>
  /** Kills what works on it. Afterwards somebody works on it again. `random` gives numbers from 0 to 1. */
  kill(job: Job, random: () => number): Promise<void>
  /** Waits for the end of the job and looks at what has come of it. */
  end(job: Job): Promise<void>
}

type Hits = Record<string, number>

/**
 * Kills on several sites side by side.
 *
 * @returns how many were killed in each stage; at least one, unless twice as many kills do not hit it
 */
export async function killOften<Job, Site>(sites: readonly Site[], jobs: KilledJobs<Job, Site>): Promise<Hits> {
  const kills = Math.ceil(jobs.kills / sites.length)
  const each = await Promise.all(
    sites.map((site, number) => killOnSite(site, { ...jobs, kills, seed: `${jobs.seed} ${number}` })),
  )
  const sum = (stage: string) => each.reduce((total, hits) => total + (hits[stage] ?? 0), 0)
  return Object.fromEntries([...jobs.stages, 'ended'].map((stage) => [stage, sum(stage)]))
}

/** Goes through the stages by turn. A job is killed until it has passed the stage whose turn it is; then the next begins. */
async function killOnSite<Job, Site>(site: Site, jobs: KilledJobs<Job, Site>): Promise<Hits> {
  const { stages, kills, stageOf } = jobs
  const random = randomsOf(jobs.seed)
  const hits: Hits = {}
  const missed = () => stages.find((stage) => !hits[stage])
  let job: Job | undefined
  for (let turn = 0; turn < kills || (missed() && turn < 2 * kills); turn++) {
    const stage = (turn < kills ? stages[turn % stages.length] : missed()) ?? ''
    const isPast = (now: string | undefined) => now === undefined || stages.indexOf(now) > stages.indexOf(stage)
    if (job !== undefined && isPast(await stageOf(job))) {
      await jobs.end(job)
      job = undefined
    }
    job ??= await jobs.begin(site)
    for (let now = await stageOf(job); now !== stage && !isPast(now); now = await stageOf(job)) await wait(1)
    await wait(random() * (jobs.times.get(stage) ?? 0))
    const hit = (await stageOf(job)) ?? 'ended'
    await jobs.kill(job, random)
    hits[hit] = (hits[hit] ?? 0) + 1
  }
  if (job !== undefined) await jobs.end(job)
  return hits
}

/** Follows a job that nobody disturbs to its end. */
export async function timeStages(stageOf: () => Promise<string | undefined>): Promise<Map<string, number>> {
  const times = new Map<string, number>()
  let last = performance.now()
  for (let stage = await stageOf(); stage !== undefined; stage = await stageOf()) {
    const now = performance.now()
    times.set(stage, (times.get(stage) ?? 0) + now - last)
    last = now
    await wait(1)
  }
  return times
}
