import { unwatchFile, watchFile } from 'node:fs'
import { join } from 'node:path'
import { beginReplacement, lastReplacement, REPLACEMENT_FILE, type Replacement } from './replacement.ts'

/** Poll interval for replacements that another process begins, in ms. */
const POLL_INTERVAL = 500

/** The transition from a site to the one that replaces it. */
export interface Restart {
  /** Resolves when the host must be closed and reopened, because this or another process replaces parts of its site. */
  readonly restarting: Promise<void>
  /** Starts replacing parts of the site. The replacement is then committed. @throws Error if it cannot start */
  replace(replacement: Replacement): void
  /** Stops watching for replacements. */
  close(): void
}

/** Watches for replacements of parts of the site. Call it before any part of the site is opened. */
export function createRestart(siteDir: string): Restart {
  const { promise, resolve } = Promise.withResolvers<void>()
  const last = lastReplacement(siteDir)
  // An unfinished one was started while the site was being opened.
  const known = last?.outcome && last.id
  const check = () => {
    if (lastReplacement(siteDir)?.id !== known) resolve()
  }
  const file = join(siteDir, REPLACEMENT_FILE)
  watchFile(file, { persistent: false, interval: POLL_INTERVAL }, check)
  check()
  return {
    restarting: promise,
    replace(replacement) {
      beginReplacement(siteDir, replacement)
      check()
    },
    close: () => unwatchFile(file, check),
  }
}
