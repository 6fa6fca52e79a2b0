import { join } from 'node:path'
import { type Cms, joinCms } from '../cms/index.ts'
import { type ConfigInput, loadConfig } from '../core/config.ts'
import { createHost, type Host, type HostOptions } from '../core/host.ts'
import { replacementView } from './replacement/extension-view.ts'
import { finishReplacement } from './replacement/replacement.ts'
import { createRestart } from './replacement/restart.ts'

const PRODUCT = join(import.meta.dirname, '..')

/** What visitors are told while the site is closed, in seconds. */
const RETRY_AFTER = 5

/** A whole site: the host with the CMS. */
export interface Site extends Host, Cms {
  /** Resolves when the site has to be closed and opened again, because parts of it are being replaced. */
  readonly restarting: Promise<void>
}

export interface SiteOptions
  extends Pick<
    HostOptions,
    'beforeLoad' | 'fetch' | 'logTo' | 'passwordCost' | 'runExtensions' | 'runServices' | 'safeMode' | 'serves'
  > {
  /** What the build made of the admin's client. Default: `admin/dist`. */
  readonly adminFolder?: string | undefined
  /** Which addresses embeds may ask although they are not public, for tests. Default: none. */
  readonly isTrustedAddress?: ((url: URL) => boolean) | undefined
}

/**
 * Opens the site of a folder, or makes a new one there, with its services and active extensions running.
 *
 * @throws Error if the configuration, the options or the database can't be read
 */
export async function createSite(
  input: ConfigInput = {},
  { adminFolder = join(PRODUCT, 'admin', 'dist'), isTrustedAddress, ...options }: SiteOptions = {},
): Promise<Site> {
  const config = loadConfig(input)
  await finishReplacement(config)
  const restart = createRestart(config.siteDir)
  const { restarting } = restart
  try {
    return await createHost(input, {
      ...options,
      services: join(PRODUCT, 'plugins'),
      extensions: join(PRODUCT, 'extensions'),
      face: () => import('./index.ts'),
      async join(host) {
        host.onClose(restart.close)
        void restarting.then(() => host.maintenance.enter(RETRY_AFTER))
        host.addView(replacementView(config, restart))
        return { ...(await joinCms(host, { adminFolder, isTrustedAddress })), restarting }
      },
    })
  } catch (error) {
    restart.close()
    throw error
  }
}
