import { join } from 'node:path'
import { bundleScript } from 'pentad'
import type { PwaSettings } from '../settings.ts'

/** The worker with the parts that these settings need; the same for the same settings. */
export function buildWorker(
  { offlineCache, backgroundSync, periodicSync }: PwaSettings,
  constants: Readonly<Record<string, unknown>>,
): Promise<string> {
  const offline = [
    'pages',
    ...(backgroundSync === 'on' ? ['forms'] : []),
    ...(periodicSync === 'on' ? ['periodic'] : []),
  ]
  return build(['life', 'push', ...(offlineCache === 'on' ? offline : [])], { SETTINGS: constants })
}

/** Stands where the worker was once nothing needs it: browsers that still have that one are rid of it. */
export function buildFarewell(): Promise<string> {
  return build(['farewell'])
}

function build(parts: readonly string[], constants: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const paths = parts.map((part) => join(import.meta.dirname, 'source', `${part}.browser.js`))
  return bundleScript(paths, constants)
}
