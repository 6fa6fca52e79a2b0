import { join } from 'node:path'
import { type Cms, joinCms } from '../cms/index.ts'
import type { ConfigInput } from '../core/config.ts'
import { createHost, type Host, type HostOptions } from '../core/host.ts'

const PRODUCT = join(import.meta.dirname, '..')

/** A whole site: the host with the CMS. */
export type Site = Host & Cms

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
export function createSite(
  input: ConfigInput = {},
  { adminFolder = join(PRODUCT, 'admin', 'dist'), isTrustedAddress, ...options }: SiteOptions = {},
): Promise<Site> {
  return createHost(input, {
    ...options,
    services: join(PRODUCT, 'plugins'),
    extensions: join(PRODUCT, 'extensions'),
    face: () => import('./index.ts'),
    join: (host) => joinCms(host, { adminFolder, isTrustedAddress }),
  })
}
