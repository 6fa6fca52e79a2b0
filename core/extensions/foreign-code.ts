import { existsSync } from 'node:fs'
import { open, realpath, rm } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { flushFolder } from '../options/durable-file.ts'
import type { Options } from '../options/types.ts'
import type { Source } from './discover.ts'
import { writeState } from './state.ts'

/** Lies in a folder of extensions that somebody else may have written. */
const MARKER = '.foreign.json'

const REASON = 'It came with a backup that this site did not sign. Check its code before you activate it.'

/** The extensions of the site's own folder, after a restore has put code there that nobody of this site vouches for. */
export interface ForeignCode {
  /** Whether this extension is among them, and not switched off yet. Then nothing of it may run. */
  covers(source: Pick<Source, 'entry'>): Promise<boolean>
  /** Switches off those of the extensions that are among them, whatever the options say. To be called before any runs. */
  switchOff(extensions: readonly { readonly id: string; readonly source: Source }[], options: Options): Promise<void>
}

/**
 * Marks a folder as holding foreign extensions: whoever opens the site next switches all of them off before any runs. The
 * mark is a part of the folder, so it takes effect at the moment at which the folder does, and is gone with it.
 */
export async function markForeignExtensions(folder: string): Promise<void> {
  const path = join(folder, MARKER)
  await rm(path, { recursive: true, force: true })
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile('{}\n')
    await file.sync()
  } finally {
    await file.close()
  }
  await flushFolder(folder)
}

/**
 * To be called before the options are opened: where there is no mark by then, another process has switched the extensions
 * off already, and the options say so.
 */
export function createForeignCode(folder: string): ForeignCode {
  const marker = join(folder, MARKER)
  const wasMarked = existsSync(marker)

  async function isInside({ entry }: Pick<Source, 'entry'>): Promise<boolean> {
    return entry.startsWith((await realpath(folder)) + sep)
  }

  return {
    covers: async (source) => existsSync(marker) && (await isInside(source)),
    async switchOff(extensions, options) {
      if (!wasMarked && !existsSync(marker)) return
      for (const { id, source } of extensions) {
        if (await isInside(source)) await writeState(options, id, 'inactive', REASON)
      }
      // Not before the states are durable.
      await rm(marker, { force: true })
      await flushFolder(folder)
    },
  }
}
