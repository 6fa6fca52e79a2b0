import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span } from '@opentelemetry/api'
import type { JoiningHost } from '../../../core/types.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { traceCalls } from './calls.ts'
import { loadPackages, type Packages } from './packages.ts'
import { traceRequests } from './requests.ts'
import { traceStatements } from './statements.ts'
import type { Tracing } from './types.ts'

/**
 * Sends traces by OTLP if one of OpenTelemetry's own variables names a receiver (opentelemetry.io/docs/specs/otel/protocol/exporter).
 * Otherwise nothing is loaded, and nothing is measured.
 */
export async function joinTracing(host: JoiningHost, environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_SDK_DISABLED } = environment
  if (!(OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || OTEL_EXPORTER_OTLP_ENDPOINT) || OTEL_SDK_DISABLED === 'true') return
  let packages: Packages
  try {
    packages = await loadPackages()
  } catch (error) {
    // A site without traces is better than none.
    host.log.error({ err: error }, 'tracing disabled')
    return
  }
  const provider = createProvider(packages, environment)
  // Registered first, so that it runs last.
  host.onClosed((remaining) => endWithin(provider.shutdown(), remaining))
  const tracing: Tracing = {
    ...{ api: packages.api, propagator: new packages.core.W3CTraceContextPropagator() },
    tracer: provider.getTracer('pentad', packageJson.version),
    current: new AsyncLocalStorage<Span>(),
  }
  traceRequests(host, tracing)
  traceCalls(host, tracing)
  traceStatements(host, tracing)
}

/** With the sampling that `OTEL_TRACES_SAMPLER_ARG` sets: the share of traces that are sent, 0 to 1. */
function createProvider({ resources, sdk, exporter }: Packages, { OTEL_TRACES_SAMPLER_ARG }: NodeJS.ProcessEnv) {
  const ratio = Number.parseFloat(OTEL_TRACES_SAMPLER_ARG ?? '1')
  return new sdk.TracerProvider({
    resource: resources
      .resourceFromAttributes({ 'service.name': 'pentad', 'service.version': packageJson.version })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new exporter.OTLPTraceExporter() })],
  })
}

/** A receiver that does not respond must not delay the end of the site. */
async function endWithin(ending: Promise<void>, milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  // What cannot be sent is lost; the exporter has reported it.
  await Promise.race([ending.catch(() => {}), promise])
  clearTimeout(timer)
}
