import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A temporary folder that goes when the test run ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pentad-test-'))
  folders.push(folder)
  return folder
}
