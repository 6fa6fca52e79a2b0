import type { Registry } from 'prom-client'
import type { Readiness } from '../readiness.ts'

/** The checks of `GET /host/v1/ready`, and the version. */
export async function measureReadiness(
  registry: Registry,
  { readiness, version }: { readonly readiness: Readiness; readonly version: string },
): Promise<void> {
  const { Gauge } = await import('prom-client')
  new Gauge({
    name: 'pentad_ready_check',
    help: 'Whether a readiness check succeeds: 1 if it is ok or a warning, 0 if it failed.',
    labelNames: ['check'],
    registers: [registry],
    async collect() {
      for (const { name: check, state } of await readiness.check()) this.set({ check }, state === 'failed' ? 0 : 1)
    },
  })
  new Gauge({
    name: 'pentad_info',
    help: 'The running version; always 1.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1)
}
