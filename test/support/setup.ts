/** Loaded before all tests, in mocha's main process and in each of its workers. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopPostgres } from './postgres.ts'

/** The main process's folder lies among everybody's, a worker's in the main process's, whose environment it inherits. */
const folder = mkdtempSync(join(tmpdir(), 'pentad-tests-'))
// PostgreSQL's server has an account of its own.
chmodSync(folder, 0o711)
// Everything temporary goes there, so that what killed processes leave behind is taken away too.
process.env.TMPDIR = folder
// Else each worker and each process of a test would strip the types of the same files again.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../node_modules/.cache/pentad')

if (process.env.MOCHA_WORKER_ID === undefined) process.once('SIGINT', mochaGlobalTeardown)

/** In the main process only. */
export function mochaGlobalTeardown(): void {
  stopPostgres(folder)
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
