import { setTimeout as wait } from 'node:timers/promises'
import type { TestHost } from 'pentad/testing'

/** Resolves when nothing is brought up to date in the background any more. */
export async function linksSettled({ host }: TestHost): Promise<void> {
  while ((await host.jobs.list({ type: 'seo-links', state: 'running' })).length > 0) await wait(10)
}
