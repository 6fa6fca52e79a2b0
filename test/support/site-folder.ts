import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * States for `host_extensions` of a site that needs none of the services: its processes start in two thirds of the processor time. For tests
 * of processes and of extensions; services take no part in what they show.
 */
export const INACTIVE_SERVICES: Readonly<Record<string, object>> = Object.fromEntries(
  ['ai', 'backup', 'pwa', 'seo', 'speed'].map((id) => [id, { state: 'inactive', reason: null }]),
)

/** A temporary folder that goes when the test run ends. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'pentad-test-'))
}
