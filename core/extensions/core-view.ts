import { createCurrentUser } from '../auth/current-user.ts'
import type { CoreAuth } from '../auth/types.ts'
import type { Config } from '../config.ts'
import type { Front, FrontSlot } from '../http/front.ts'
import type { SiteKey } from '../options/site-key.ts'
import type { Options, SettingsRegistry, Vault } from '../options/types.ts'
import type { ExtensionContext, ExtensionView } from './context.ts'
import { serviceView } from './service-view.ts'
import type { ExtensionHost } from './types.ts'
import { assertOwnZod } from './zod-version.ts'

/** Parts of core from which the members of `host` are created. */
export interface CoreParts {
  readonly settings: SettingsRegistry
  readonly options: Options
  readonly auth: CoreAuth
  readonly config: Pick<Config, 'url' | 'siteDir' | 'environment' | 'pageCache' | 'disallowFileMods' | 'extensionsDir'>
  readonly siteKey: SiteKey
  readonly vault: Vault
  /** Running software as text: names, versions, hashes of code. */
  readonly software: () => readonly string[]
  readonly hostVersion: string
  readonly front: FrontSlot
}

/** The members of `host` that the host itself provides, except for hooks and routes. */
export function coreView(parts: CoreParts): ExtensionView {
  const { auth, config, vault } = parts
  const currentUser = createCurrentUser(auth)
  return (extension) => {
    const { id, declare, owner } = extension
    return {
      ...currentUser,
      settings: settingsView(parts.settings, extension),
      options: serviceView(parts.options),
      auth: serviceView(auth, {
        addRole: (...role) => declare(() => auth.addRole(...role)),
        addCapabilities: (...capabilities) => declare(() => auth.addCapabilities(...capabilities)),
      }),
      vault: {
        seal: (value, place) => vault.seal(value, `extension ${id} ${place}`),
        open: (sealed, place) => vault.open(sealed, `extension ${id} ${place}`),
      },
      site: {
        url: config.url,
        dir: config.siteDir,
        extensionsDir: config.extensionsDir,
        environment: config.environment,
        pageCache: config.pageCache,
        disallowFileMods: config.disallowFileMods,
        software: parts.software,
        key: (purpose) => parts.siteKey.derive(`extension ${id} ${purpose}`),
        hostVersion: parts.hostVersion,
      },
      front: serviceView<Front>(parts.front, {
        install(handler, ready) {
          const added = new Error('Added here.')
          return declare(() => parts.front.install(handler, ready, owner, added))
        },
      }),
    }
  }
}

function settingsView(registry: SettingsRegistry, extension: ExtensionContext): ExtensionHost['settings'] {
  const { id } = extension
  let isRegistered = false
  return {
    register(schema) {
      if (isRegistered) throw new Error(`Extension ${id} registers its settings twice.`)
      assertOwnZod(schema, 'the settings')
      // Applied immediately, because `setup` needs them, on top of those of the running version, which are restored if `setup` fails.
      const { settings, undo } = registry.register(id, schema, id)
      isRegistered = true
      extension.onWithdraw(extension.list('settings', id, undo))
      return settings
    },
  }
}
