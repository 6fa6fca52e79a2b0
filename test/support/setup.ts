/** Loaded before all tests, in mocha's main process and in each of its workers. */
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { config } from 'chai'
import { explainFailure } from './on-failure.ts'
import { stopPostgres } from './postgres.ts'

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm'
/** Bytes that must be free there; all tests together take less than half of it. */
const ENOUGH = 6 * 1024 ** 3

/**
 * The main process's folder lies in memory or among everybody's, a worker's in the main process's, whose environment it
 * inherits. What is written safely waits for the disk, which on a busy machine is most of what the tests would take;
 * a process that is killed loses nothing of either.
 */
const folder = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'pentad-tests-'))
// PostgreSQL's server has an account of its own.
chmodSync(folder, 0o711)
// Everything temporary goes there, so that what killed processes leave behind is taken away too.
process.env.TMPDIR = folder
// The TypeScript compiler and esbuild are written in Go: with more room they free memory less often, which is a third of what the compiler does.
process.env.GOGC ??= '400'
// Else each worker and each process of a test would strip the types of the same files again.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../node_modules/.cache/pentad')

// They find misspelled assertions, as the compiler does, but on each use of each.
config.useProxy = false

if (process.env.MOCHA_WORKER_ID === undefined) process.once('SIGINT', mochaGlobalTeardown)

/** In the main process only. */
export function mochaGlobalTeardown(): void {
  stopPostgres(folder)
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

export const mochaHooks = {
  async afterEach(this: Mocha.Context) {
    if (this.currentTest?.state === 'failed') await explainFailure(this.currentTest.fullTitle())
  },
}

function hasRoom(path: string): boolean {
  if (process.env.TMPDIR || !existsSync(path)) return false
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize > ENOUGH
}
