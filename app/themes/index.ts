import { existsSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { basename, extname, join, parse } from 'node:path'
import type { Changes } from '../../cms/changes/types.ts'
import { listTheme } from '../../cms/site/theme/folder.ts'
import { themesInUse } from '../../cms/site/theme/in-use.ts'
import { listThemes } from '../../cms/site/theme/list.ts'
import { PRODUCT_THEMES, THEME_NAME, type Themes } from '../../cms/site/theme/theme.ts'
import { RestError } from '../../core/errors.ts'
import { createFileLock } from '../../core/files/lock.ts'
import { makeFolder } from '../../core/files/make-folder.ts'
import type { JoiningHost } from '../../core/types.ts'
import { invalidPackage } from '../packages/errors.ts'
import { createFolders } from '../packages/folders.ts'
import { unpackPackage } from '../packages/unpack.ts'
import type { SharedCode } from '../shared-code/index.ts'
import type { ThemeFiles } from './types.ts'

export { registerThemeFileRoutes } from './routes.ts'

/** Adds the installation of themes to a host. */
export function joinThemeFiles(
  host: Pick<JoiningHost, 'config' | 'log' | 'onListen'>,
  {
    themes,
    active,
    changes,
    sharedCode,
  }: {
    readonly themes: Themes
    readonly active: () => string
    readonly changes: Pick<Changes, 'record'>
    readonly sharedCode: SharedCode | undefined
  },
): ThemeFiles {
  const { config, log } = host
  const folder = join(config.siteDir, 'themes')
  const folders = createFolders(folder)
  const temporary = join(config.siteDir, 'tmp')
  host.onListen(async () => {
    if (existsSync(folder)) await exclusively(folders.recover)
  })

  sharedCode?.onChanged('themes', (names) => {
    themes.forget()
    Promise.all(names.map(purgeIfUsed)).catch((error) => log.error({ err: error }, 'could not purge pages of a theme'))
  })

  async function purgeIfUsed(name: string): Promise<void> {
    if (!(await themesInUse(themes, active())).has(name)) return
    await changes.record({ scope: 'pages', urls: [], tags: [], reason: `The theme ${name} was replaced.` })
  }

  async function exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    makeFolder(temporary)
    makeFolder(folder)
    return createFileLock(join(temporary, 'themes.lock')).hold(work)
  }

  /** @throws RestError `theme_exists` if the theme is installed and may not be replaced */
  async function checkPlace(name: string, replace: boolean): Promise<boolean> {
    const found = await lstat(join(folder, name)).catch(() => undefined)
    if (found && !found.isDirectory()) {
      const message = `“${name}” in the site’s themes folder is not a folder. Remove it on the server, then upload the theme again.`
      throw new RestError('theme_exists', message, { status: 409 })
    }
    const exists = found !== undefined || existsSync(join(PRODUCT_THEMES, name))
    if (exists && !replace) {
      const message = `The theme “${name}” is already installed. Replacing it deletes the changes that were made to its files on the server.`
      throw new RestError('theme_exists', message, { status: 409, name })
    }
    return exists
  }

  return {
    install: (archive, { replace }) =>
      exclusively(async () => {
        await folders.recover()
        const staged = folders.stage()
        try {
          const unpacked = await unpackPackage(archive.path, staged)
          const name = unpacked === staged ? parse(archive.name).name : basename(unpacked)
          await checkTheme(unpacked, name)
          const replaced = await checkPlace(name, replace)
          const { done, undo } = await folders.replace(unpacked, name)
          try {
            await sharedCode?.push('themes', name)
          } catch (error) {
            await undo()
            throw error
          }
          // Confirmed with the password, unlike the theme of an unsigned backup that it replaces.
          await themes.trust(name)
          themes.forget()
          await done()
          await purgeIfUsed(name)
          log.info({ theme: name, replaced }, 'theme installed')
          return { name, replaced }
        } finally {
          await folders.discard(staged)
        }
      }),
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
        const deleteFiles = () => folders.remove(join(folder, name))
        await (sharedCode?.remove('themes', name, deleteFiles) ?? deleteFiles())
        // A theme that is installed later under this name is another one.
        await themes.trust(name)
        themes.forget()
        log.info({ theme: name }, 'theme removed')
      }),
  }
}

/** @throws RestError `package_invalid` for what is not a theme of this product */
async function checkTheme(folder: string, name: string): Promise<void> {
  if (!THEME_NAME.test(name)) {
    throw invalidPackage(
      `The name of the theme’s folder, “${name.slice(0, 100)}”, must be up to 64 letters, digits, hyphens, and underscores. Rename the folder, then create the archive again.`,
    )
  }
  const types = new Set((await readdir(folder, { recursive: true })).map((file) => extname(file).toLowerCase()))
  if (types.has('.eta')) return
  if (types.has('.php')) {
    throw invalidPackage('This is a WordPress theme with PHP templates. Upload a theme with Eta templates (.eta).')
  }
  if (listTheme(folder).length === 0) {
    throw invalidPackage(
      'The archive contains no theme. It must contain one folder with templates (.eta) or a style.css.',
    )
  }
}
