import { unwatchFile, watchFile } from 'node:fs'
import { join } from 'node:path'
import { beginReplacement, lastReplacement, REPLACEMENT_FILE, type Replacement } from './replacement.ts'

/** Poll interval for replacements that another process begins, in ms. */
const POLL_INTERVAL = 500

/** The way from a site to the one that takes its place. */
export interface Restart {
  /** Resolves when the host has to be closed and opened again, because this or another process replaces parts of its site. */
  readonly restarting: Promise<void>
  /** Begins to replace parts of the site: from now on it is the new one. @throws Error if it can't begin */
  replace(replacement: Replacement): void
  /** Stops watching for replacements. */
  close(): void
}

/** Watches whether parts of the site are being replaced. Call it before anything of the site is opened. */
export function createRestart(siteDir: string): Restart {
  const { promise, resolve } = Promise.withResolvers<void>()
  const last = lastReplacement(siteDir)
  // One that is not finished has begun while the site was being opened.
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
