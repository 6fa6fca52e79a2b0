import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary folder that goes when the test run ends. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'pentad-test-'))
}
