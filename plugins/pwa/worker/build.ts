import { join } from 'node:path'
import type { Scripts } from 'pentad'
import type { PwaSettings } from '../settings.ts'

/** Builds the worker with the parts that the settings require. Deterministic. */
export function buildWorker(
  { offlineCache, backgroundSync, periodicSync }: PwaSettings,
  constants: Readonly<Record<string, unknown>>,
  bundle: Scripts['bundle'],
): Promise<string> {
  const offline = [
    'pages',
    ...(backgroundSync === 'on' ? ['forms'] : []),
    ...(periodicSync === 'on' ? ['periodic'] : []),
  ]
  return build(bundle, ['lifecycle', 'push', ...(offlineCache === 'on' ? offline : [])], { SETTINGS: constants })
}

/** Builds a self-destroying worker, which replaces the worker in browsers when it is no longer needed. */
export function buildSelfDestroyingWorker(bundle: Scripts['bundle']): Promise<string> {
  return build(bundle, ['self-destroying'])
}

function build(
  bundle: Scripts['bundle'],
  parts: readonly string[],
  constants: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const paths = parts.map((part) => join(import.meta.dirname, 'source', `${part}.browser.js`))
  return bundle(paths, constants)
}
