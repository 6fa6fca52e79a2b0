import { hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { readAppIcon } from './app-icon.ts'
import { ICON_FILES } from './icons.ts'
import { SPLASH_SCREEN_FILES } from './splash-screens.ts'

/** Files drawn concurrently. Each needs the memory of a full screen. */
const AT_ONCE = 2

export interface DrawTask {
  /** The app icon file. */
  readonly bytes: Uint8Array
  /** `#rrggbb` */
  readonly background: string
  /** An existing, empty folder. */
  readonly folder: string
}

/**
 * Draws all icons and splash screens into the folder and flushes them to disk.
 * @returns version derived from the content: 12 hex digits
 * @throws IconError
 */
export async function drawSet({ bytes, background, folder }: DrawTask): Promise<string> {
  const icon = await readAppIcon(bytes)
  const hashes: string[] = []
  const files = [...ICON_FILES, ...SPLASH_SCREEN_FILES]
  const waiting = files.entries()
  let isStopped = false

  async function drawSome(): Promise<void> {
    for (const [index, file] of waiting) {
      if (isStopped) return
      const drawn = await file.draw(icon, background)
      hashes[index] = hash('sha256', drawn)
      await writeDurably(join(folder, file.name), drawn)
    }
  }

  const ended = await Promise.allSettled(
    Array.from({ length: AT_ONCE }, () =>
      drawSome().catch((error) => {
        isStopped = true
        throw error
      }),
    ),
  )
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  return hash('sha256', hashes.join()).slice(0, 12)
}

async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}
