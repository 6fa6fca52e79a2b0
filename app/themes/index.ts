import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { themesInUse } from '../../cms/site/theme/in-use.ts'
import { listThemes } from '../../cms/site/theme/list.ts'
import type { Themes } from '../../cms/site/theme/theme.ts'
import { RestError } from '../../core/errors.ts'
import { createFileLock } from '../../core/files/lock.ts'
import { makeFolder } from '../../core/files/make-folder.ts'
import type { JoiningHost } from '../../core/types.ts'
import { createFolders } from '../packages/folders.ts'
import type { ThemeFiles } from './types.ts'

export { registerThemeFileRoutes } from './routes.ts'

/** Adds the installation of themes to a host. */
export function joinThemeFiles(
  host: Pick<JoiningHost, 'config' | 'log' | 'onListen'>,
  { themes, active }: { readonly themes: Themes; readonly active: () => string },
): ThemeFiles {
  const { config, log } = host
  const folder = join(config.siteDir, 'themes')
  const folders = createFolders(folder)
  const temporary = join(config.siteDir, 'tmp')
  host.onListen(async () => {
    if (existsSync(folder)) await exclusively(folders.recover)
  })

  async function exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    makeFolder(temporary)
    makeFolder(folder)
    return createFileLock(join(temporary, 'themes.lock')).hold(work)
  }

  return {
    remove: (name) =>
      exclusively(async () => {
        const found = (await listThemes(themes)).find((theme) => theme.name === name)
        if (!found) throw new RestError('rest_theme_not_found', 'Theme not found.', { status: 404 })
        if (found.from === 'product') {
          const message = `The theme “${name}” comes with Pentad, so it cannot be removed.`
          throw new RestError('theme_bundled', message, { status: 409 })
        }
        if ((await themesInUse(themes, active())).has(name)) {
          const message = `The site uses the theme “${name}”. Activate a theme that does not need it, then remove it.`
          throw new RestError('theme_in_use', message, { status: 409 })
        }
        await folders.remove(join(folder, name))
        // A theme that is installed later under this name is another one.
        await themes.trust(name)
        themes.forget()
        log.info({ theme: name }, 'theme removed')
      }),
  }
}
