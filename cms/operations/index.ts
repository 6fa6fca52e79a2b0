import type { JoiningHost } from '../../core/types.ts'
import type { JobsHost } from '../jobs/index.ts'
import { joinMetrics } from './metrics/index.ts'
import { createReadiness } from './readiness.ts'
import { registerReadyRoute } from './ready-route.ts'

/** Adds what operators of a site need while it runs. */
export async function joinOperations(host: JoiningHost, jobs: JobsHost): Promise<void> {
  const readiness = createReadiness(host)
  host.onClosing(readiness.beginShutdown)
  registerReadyRoute(host.rest, readiness)
  await joinMetrics(host, { jobs, readiness })
}
