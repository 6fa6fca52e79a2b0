import { setTimeout as wait } from 'node:timers/promises'
import { Command } from 'commander'
import type { Site } from '../app/create-site.ts'
import { withHost } from './with-host.ts'

/** Milliseconds between two looks at a job that waits, and how long a job may stand still before it is left for the next call. */
const LOOK = 200
const PATIENCE = 10_000
/** Milliseconds after which the next call takes over from one that died. */
const LEASE = 15_000

/**
 * `pentad cron`: runs everything that is due, for sites without a permanent process. It continues until no job makes progress: a step
 * longer than one tick would otherwise start over with every call.
 */
export function cronCommand(): Command {
  return new Command('cron')
    .description('run due scheduled events and unfinished jobs; for use with a system cron job')
    .action(() => withHost(run))
}

async function run(host: Site): Promise<void> {
  await host.jobs.runDue()
  // One process stays until the jobs end; others run what is due and exit.
  await host.jobs.withLease('cron', LEASE, (lost) => finishJobs(host, lost))
}

async function finishJobs({ jobs, restarting }: Site, lost: AbortSignal): Promise<void> {
  let isRestarting = false
  // A restore puts the site in place when the next process opens it.
  void restarting.then(() => {
    isRestarting = true
  })
  for (let known = '', since = Date.now(); Date.now() - since < PATIENCE && !isRestarting && !lost.aborted; ) {
    const running = await jobs.list({ state: 'running' })
    if (running.length === 0) return
    const now = JSON.stringify(running)
    if (now === known) await wait(LOOK)
    else since = Date.now()
    known = now
    await jobs.runDue()
  }
}
