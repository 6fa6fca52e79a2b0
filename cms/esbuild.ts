import { messageOf } from '../core/errors.ts'

/** Messages of esbuild about its process. */
const ENDED = /^The service (?:was stopped|is no longer running)/
const TRIES = 3

/** Counts processes of esbuild that ended. */
let ended = 0

/**
 * Calls esbuild, whose process may have ended: Ctrl+C in a terminal ends it together with Pentad, and so does a lack of memory. esbuild does
 * not start another one, so that all later calls would fail, and extensions would be paused for it.
 */
export async function withEsbuild<Result>(
  work: (esbuild: typeof import('esbuild')) => Promise<Result>,
): Promise<Result> {
  const esbuild = await import('esbuild')
  for (let tries = 1; ; tries++) {
    const before = ended
    try {
      return await work(esbuild)
    } catch (error) {
      if (tries === TRIES || !ENDED.test(messageOf(error))) throw error
      // The first of several calls that failed together; the next call starts a process.
      if (before === ended) {
        ended++
        await esbuild.stop()
      }
    }
  }
}
