import { hash, timingSafeEqual } from 'node:crypto'
import { RestError } from '../../../core/errors.ts'
import { RestResponse } from '../../../core/rest/response.ts'
import type { JoiningHost } from '../../../core/types.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import type { JobsHost } from '../../jobs/index.ts'
import { filterShapes } from '../hooks.ts'
import type { Readiness } from '../readiness.ts'
import { registryOf } from './added.ts'
import { measureDatabase } from './database.ts'
import { measureExtensions } from './extensions.ts'
import { measureJobs } from './jobs.ts'
import { processMetrics } from './process.ts'
import { measureReadiness } from './readiness.ts'
import { measureRequests } from './requests.ts'

/**
 * Measures the site and adds `GET /host/v1/metrics`, in Prometheus's text format, for clients with the configured token. Without a token
 * nothing is measured, `prom-client` is not loaded, and the route does not exist.
 */
export async function joinMetrics(
  host: JoiningHost,
  { jobs, readiness }: { readonly jobs: JobsHost; readonly readiness: Readiness },
): Promise<void> {
  const { config, hooks, log } = host
  const { metricsToken } = config
  hooks.declareFilters(filterShapes)
  if (metricsToken === undefined) return
  const { Registry } = await import('prom-client')
  const ofProcess = await processMetrics()
  const registry = new Registry()
  await measureRequests(registry, host)
  await measureDatabase(registry, host.database)
  await measureExtensions(registry, host)
  await measureJobs(registry, { jobs, readiness })
  await measureReadiness(registry, { readiness, version: packageJson.version })

  const isKnown = (name: string) => [ofProcess, registry].some((known) => known.getSingleMetric(name) !== undefined)
  host.rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/metrics',
    access: ({ headers }) => requireToken(headers.authorization, metricsToken),
    summary: 'Returns metrics of the process and the site for Prometheus; requires the bearer token `metricsToken`.',
    responseTypes: ['text/plain'],
    async handler() {
      const added = hooks.applyFilters('metrics', []).filter(({ name }) => !isKnown(name))
      const registries = [ofProcess, registry, await registryOf(added, log)]
      const body = await Registry.merge(registries).metrics()
      return new RestResponse(body, { headers: { 'Content-Type': registry.contentType } })
    },
  })
}

/** Comparing digests takes the same time for any token. @throws RestError 401 with the scheme (RFC 6750, section 3) */
function requireToken(authorization: string | undefined, token: string): true {
  const given = /^Bearer (?<token>\S+)$/i.exec(authorization ?? '')?.groups?.token ?? ''
  const digest = (text: string) => hash('sha256', text, 'buffer')
  if (timingSafeEqual(digest(given), digest(token))) return true
  const message = 'Metrics require the token configured as metricsToken.'
  throw new RestError('metrics_unauthorized', message, { status: 401 }, { 'WWW-Authenticate': 'Bearer' })
}
