import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary folder that goes when the test run ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pentad-test-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
