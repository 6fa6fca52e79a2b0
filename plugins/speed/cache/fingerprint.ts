import { hash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExtensionHost } from 'pentad'
import { z } from 'zod'
import { ownThemes, PRODUCT_THEMES } from '../theme-folders.ts'

const DEFAULT_THEME = 'default'
const themeSetting = z.object({ theme: z.string().regex(/^[\w-]+$/) })

/**
 * What makes pages what they are besides the content: a page that anything else rendered is not shown. The service's own
 * settings do not count: saving them rebuilds nothing, a purge does (services.md 4.4). Of no use before `lookAtTheme`.
 */
export interface Fingerprint {
  readonly value: string
  /** Takes in what is known without a look at the disk. */
  refresh(): void
  /** Takes in the files of the theme too. */
  lookAtTheme(): Promise<void>
}

export function createFingerprint(host: ExtensionHost): Fingerprint {
  let theme = ''
  let value = ''

  const themeName = () => themeSetting.safeParse(host.options.get('host_settings')).data?.theme ?? DEFAULT_THEME

  function refresh(): void {
    const settings = host.options.get('host_settings')
    const parts = [process.versions.node.split('.')[0], host.site.url, host.site.software(), settings, theme]
    value = hash('sha256', JSON.stringify(parts), 'base64url')
  }

  return {
    get value() {
      return value
    },
    refresh,
    async lookAtTheme() {
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

/** Every file of a folder with the moment of its last change. */
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
