import { unwatchFile, watchFile } from 'node:fs'
import { join } from 'node:path'
import type { Maintenance } from '../http/maintenance.ts'
import { beginReplacement, lastReplacement, REPLACEMENT_FILE, type Replacement } from './replacement.ts'

/** How often is looked whether another process replaces parts of the site. Milliseconds. */
const LOOK_EVERY = 500
/** What visitors are told while the site is closed. Seconds. */
const RETRY_AFTER = 5

/** The way from a site to the one that takes its place. */
export interface Restart {
  /** Resolves when the host has to be closed and opened again, because parts of its site are being replaced. */
  readonly restarting: Promise<void>
  /** Begins to replace parts of the site: from now on it is the new one. @throws Error if it can't begin */
  replace(replacement: Replacement): void
  /** Looks no longer. */
  close(): void
}

/** Closes the site to visitors as soon as this or another process begins to replace parts of it. */
export function createRestart(siteDir: string, maintenance: Pick<Maintenance, 'enter'>): Restart {
  const { promise, resolve } = Promise.withResolvers<void>()
  const last = lastReplacement(siteDir)
  // One that is not finished has begun while the site was being opened.
  const known = last?.outcome && last.id
  let isRestarting = false
  const look = () => {
    if (isRestarting || lastReplacement(siteDir)?.id === known) return
    isRestarting = true
    maintenance.enter(RETRY_AFTER)
    resolve()
  }
  const file = join(siteDir, REPLACEMENT_FILE)
  watchFile(file, { persistent: false, interval: LOOK_EVERY }, look)
  look()
  return {
    restarting: promise,
    replace(replacement) {
      beginReplacement(siteDir, replacement)
      look()
    },
    close: () => unwatchFile(file, look),
  }
}
