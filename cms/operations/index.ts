import type { JoiningHost } from '../../core/types.ts'
import packageJson from '../../package.json' with { type: 'json' }
import type { JobsHost } from '../jobs/index.ts'
import { registerHealthRoute } from './health-route.ts'
import { joinMetrics } from './metrics/index.ts'
import { createReadiness } from './readiness.ts'
import { registerReadyRoute } from './ready-route.ts'
import { joinTracing } from './tracing/index.ts'

export { registerHealthRoute } from './health-route.ts'

/** Adds what operators of a site need while it runs. */
export async function joinOperations(
  host: JoiningHost,
  jobs: JobsHost,
  missingCode?: () => readonly string[],
): Promise<void> {
  const { safeMode } = host.extensions
  registerHealthRoute(host.rest, { version: packageJson.version, startedAt: Date.now(), safeMode })
  const readiness = createReadiness({ ...host, missingCode })
  host.onClosing(readiness.beginShutdown)
  registerReadyRoute(host.rest, readiness)
  await joinMetrics(host, { jobs, readiness })
  await joinTracing(host)
}
