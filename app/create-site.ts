import { dirname, join } from 'node:path'
import { type Cms, joinCms } from '../cms/index.ts'
import { joinSandboxes, type SandboxLimits } from '../cms/sandbox/index.ts'
import { type Config, type ConfigInput, loadConfig } from '../core/config.ts'
import type { Hooks } from '../core/hooks/types.ts'
import { createHost, type Host, type HostOptions, type JoiningHost } from '../core/host.ts'
import { LOST_WITH_KEY } from '../core/options/site-key.ts'
import { registerSiteHealthRoutes } from './doctor/routes.ts'
import { createFastLane } from './fast-lane/index.ts'
import { type Blame, joinFaults } from './faults/index.ts'
import { joinLoader, joinServers, type Loader, registerExtensionRoutes, type Servers } from './loader/index.ts'
import { joinPackages, type Packages, parseSource, registerPackageRoutes } from './packages/index.ts'
import { createRestart, finishReplacement, type Restart, replacementView } from './replacement/index.ts'
import type { SharedCode } from './shared-code/index.ts'
import { joinThemeFiles, registerThemeFileRoutes } from './themes/index.ts'

const PRODUCT = join(import.meta.dirname, '..')

/** Warning if the database of a site, on a PostgreSQL server, existed before its key. */
const NEW_KEY = `secret.key was missing and has been created, but the database belongs to an existing site; without the original file, these are lost: ${LOST_WITH_KEY}`

/** `Retry-After` while the site is closed, in seconds. */
const RETRY_AFTER = 5

/** Members that the app adds to the host. */
interface Product extends Cms {
  readonly loader: Loader
  readonly servers: Servers
  readonly packages: Packages
  readonly blame: Blame
  /** Resolves when the site must be closed and reopened because parts of it are being replaced. */
  readonly restarting: Promise<void>
}

/** A complete site: the host with the CMS and extensions loaded from folders. */
export type Site = Host & Product

/** The parts of a site that exist before any extension runs. */
export type SiteBeforeLoad = Pick<Site, 'blame' | 'config' | 'extensions' | 'log'> & {
  readonly hooks: Pick<Hooks, 'currentFilter'>
}

export interface SiteOptions
  extends Pick<
    HostOptions,
    'drain' | 'onPortFree' | 'fetch' | 'logTo' | 'passwordCost' | 'runExtensions' | 'safeMode' | 'serves'
  > {
  /** Folder of the built admin client. Default: `admin/dist`. */
  readonly adminFolder?: string | undefined
  /** Non-public addresses that embeds may request, for tests. Default: none. */
  readonly isTrustedAddress?: ((url: URL) => boolean) | undefined
  /** Whether sandboxed extensions get all permissions that they ask for, as on the test site of their author. */
  readonly allowsAllPermissions?: boolean | undefined
  /** Limits of sandboxed extensions, for tests. */
  readonly sandboxLimits?: Partial<SandboxLimits> | undefined
  /** Whether this process was started before all others of this machine that serve the site, for workers. Default: `true`. */
  readonly isFirst?: boolean
  /** Whether no other process on this machine serves the site. Default: `true`. */
  readonly isAlone?: boolean
  /** `false` starts only the services that an administrator has activated. */
  readonly runServices?: boolean
  /** Called when errors can be attributed to extensions, before any extension runs. */
  readonly beforeLoad?: (site: SiteBeforeLoad) => void
}

/**
 * Opens or creates the site in a folder and starts its services and active extensions.
 *
 * @throws Error if the configuration, the options or the database cannot be read
 */
export async function createSite(input: ConfigInput = {}, options: SiteOptions = {}): Promise<Site> {
  const config = loadConfig(input)
  checkNodes(config)
  await finishReplacement(config)
  const restart = createRestart(config.siteDir)
  let createsKey = false
  try {
    const site = await createHost(input, {
      ...options,
      createFastLane,
      ...(config.databaseUrl !== undefined && {
        openRecords: async (database, log) =>
          (await import('./options/record-rows.ts')).openRecordRows(database, config.siteDir, log),
      }),
      join(host) {
        createsKey = host.siteKey.isNew
        return joinProduct(host, { config, restart }, options)
      },
    })
    if (createsKey && !site.firstAdministrator) site.log.warn(NEW_KEY)
    return site
  } catch (error) {
    restart.close()
    throw error
  }
}

/** @throws Error if several nodes would not agree */
function checkNodes({ nodes, databaseUrl, storageUrl, secretKey, secretKeyFile }: Config): void {
  if (storageUrl !== undefined && databaseUrl === undefined) {
    throw new Error('PENTAD_STORAGE_URL requires PENTAD_DATABASE_URL.')
  }
  if (nodes === 'one' || (databaseUrl !== undefined && (secretKey ?? secretKeyFile) !== undefined)) return
  throw new Error('PENTAD_NODES=many requires PENTAD_DATABASE_URL, and PENTAD_SECRET_KEY or PENTAD_SECRET_KEY_FILE.')
}

async function joinProduct(
  host: JoiningHost,
  { config, restart }: { readonly config: Config; readonly restart: Restart },
  {
    adminFolder = join(PRODUCT, 'admin', 'dist'),
    isTrustedAddress,
    fetch,
    allowsAllPermissions: allowsAll,
    sandboxLimits,
    runServices = true,
    beforeLoad = () => {},
    serves = false,
    isFirst = true,
    isAlone = true,
  }: SiteOptions,
): Promise<Product> {
  const { restarting } = restart
  host.onClose(restart.close)
  void restarting.then(() => host.maintenance.enter(RETRY_AFTER))
  host.addView(replacementView(config, restart))
  const services = join(PRODUCT, 'plugins')
  const sharedCode = config.nodes === 'many' ? await openSharedCode(host, serves) : undefined
  const sandboxes = joinSandboxes(host, { isTrustedAddress, fetch, allowsAll, limits: sandboxLimits })
  const loader = joinLoader(host, {
    ...{ sandboxes, sharedCode },
    publicApi: () => import('./index.ts'),
    folders: [services, join(PRODUCT, 'extensions')],
    isService: ({ folder }) => runServices && folder !== null && dirname(folder) === services,
  })
  const servers = joinServers(host, loader)
  const packages = joinPackages(host, { loader, servers, sandboxes, sharedCode })
  const cms = await joinCms(host, {
    ...{ adminFolder, isTrustedAddress, missingCode: sharedCode?.missing, serves, isFirst, isAlone },
    extensionFolder: (id) => {
      const path = loader.find(id)?.folder
      return path ? { path, isSandboxed: loader.isolationOf(id).isSandboxed } : undefined
    },
    pluginFiles: {
      install: async (slug) => (await packages.install(parseSource(slug, false))).id,
      remove: (id) => packages.remove(id),
    },
  })
  registerExtensionRoutes(host.rest, {
    ...{ extensions: host.extensions, auth: cms.auth, loader, sandboxes },
  })
  registerPackageRoutes(host.rest, { packages, auth: cms.auth, siteDir: config.siteDir })
  const themeFiles = joinThemeFiles(host, {
    ...{ themes: cms.themes, active: cms.activeTheme, changes: cms.changes, sharedCode },
  })
  registerThemeFileRoutes(host.rest, { files: themeFiles, auth: cms.auth, siteDir: config.siteDir })
  registerSiteHealthRoutes(host.rest, host, cms.textsFor)
  const blame = joinFaults(host, loader)
  beforeLoad({ ...host, blame })
  return { ...cms, loader, servers, packages, blame, restarting }
}

async function openSharedCode(host: JoiningHost, serves: boolean): Promise<SharedCode> {
  const { joinSharedCode } = await import('./shared-code/index.ts')
  return joinSharedCode(host, serves)
}
