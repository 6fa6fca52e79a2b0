import { hash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExtensionHost } from 'pentad'
import { z } from 'zod'
import { ownThemes, PRODUCT_THEMES } from '../theme-folders.ts'

const DEFAULT_THEME = 'default'
const themeSetting = z.object({ theme: z.string().regex(/^[\w-]+$/) })

/**
 * Identifies the software that renders pages: host, extensions, theme, settings. Cached pages with another fingerprint
 * are invalid. The service's own settings are not included: saving them does not purge. Call `refreshTheme` before the
 * first use.
 */
export interface Fingerprint {
  readonly value: string
  /** Updates everything that needs no disk access. */
  refresh(): void
  /** Updates the theme files too. */
  refreshTheme(): Promise<void>
}

export function createFingerprint(host: ExtensionHost): Fingerprint {
  let theme = ''
  let value = ''
  /** What it was made of. */
  let last: readonly unknown[] = []

  const themeName = () => themeSetting.safeParse(host.options.get('host_settings')).data?.theme ?? DEFAULT_THEME

  function refresh(): void {
    const settings = host.options.get('host_settings')
    const parts = [process.versions.node.split('.')[0], host.site.url, host.site.software().join('\n'), settings, theme]
    // Each page that is stored asks for it, and options are the same object until they change.
    if (parts.every((part, at) => part === last[at])) return
    last = parts
    value = hash('sha256', JSON.stringify(parts), 'base64url')
  }

  return {
    get value() {
      return value
    },
    refresh,
    async refreshTheme() {
      const name = themeName()
      const folders = [name, DEFAULT_THEME].flatMap((one) => [
        join(ownThemes(host.site.dir), one),
        join(PRODUCT_THEMES, one),
      ])
      theme = (await Promise.all(folders.map(filesOf))).join('\n')
      refresh()
    },
  }
}

/** Lists the files of a folder with modification time and size. */
async function filesOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
  const changes = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name)
    const found = await stat(path).catch(() => undefined)
    return `${path} ${found?.mtimeMs} ${found?.size}`
  })
  return (await Promise.all(changes)).sort().join('\n')
}
