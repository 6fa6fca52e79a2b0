import type { Registry } from 'prom-client'

let registry: Promise<Registry> | undefined

/**
 * CPU, memory, garbage collection, file descriptors and event-loop delay. They are of the process, not of a site, and cannot be stopped, so
 * they are collected once even if a site is reopened.
 */
export function processMetrics(): Promise<Registry> {
  registry ??= collect()
  return registry
}

async function collect(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const created = new Registry()
  collectDefaultMetrics({ register: created })
  return created
}
