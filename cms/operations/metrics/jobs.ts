import type { Registry } from 'prom-client'
import type { JobsHost } from '../../jobs/index.ts'
import type { Readiness } from '../readiness.ts'

/** Stored jobs and the queues in memory. Read when metrics are requested. */
export async function measureJobs(
  registry: Registry,
  { jobs, readiness }: { readonly jobs: Pick<JobsHost, 'countJobs' | 'queues'>; readonly readiness: Readiness },
): Promise<void> {
  const { Gauge } = await import('prom-client')
  const registers = [registry]
  new Gauge({
    name: 'pentad_jobs',
    help: 'Stored jobs, by type and state; ended jobs are stored for 30 days.',
    labelNames: ['type', 'state'],
    registers,
    async collect() {
      this.reset()
      // Without a database the other metrics are all the more important.
      const checks = await readiness.check()
      if (checks.some(({ name, state }) => name === 'database' && state === 'failed')) return
      const counts = await jobs.countJobs()
      for (const { type, state, count } of counts) this.set({ type, state }, count)
    },
  })
  new Gauge({
    name: 'pentad_queue_items',
    help: 'Items that wait in a queue or are in progress, by owner and queue.',
    labelNames: ['owner', 'queue'],
    registers,
    collect() {
      this.reset()
      for (const { owner, name: queue, size } of jobs.queues()) this.inc({ owner, queue }, size)
    },
  })
}
