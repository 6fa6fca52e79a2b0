import type { ExtensionDefinition } from '../../core/extensions/types.ts'
import type { JoiningHost } from '../../core/types.ts'
import type { GuestBundle } from './bundle.ts'
import { createConsents } from './consents.ts'
import { hmac } from './hmac.ts'
import type { SandboxLimits } from './messages.ts'
import { registerSandboxRoute } from './routes.ts'
import type { LoadedSandbox } from './types.ts'
import { createUsage } from './usage.ts'

export type { SandboxLimits } from './messages.ts'

/** Runs extensions in sandboxes. */
export interface Sandboxes {
  /** Bundles an extension for the sandbox. @throws the error of esbuild */
  bundle(entry: string, filename: string): Promise<GuestBundle>
  /**
   * Prepares to run an extension.
   *
   * @returns the definition that the host runs in place of the extension's own
   * @throws Error if its manifest is invalid, or asks for more than an administrator consented to
   */
  define(bundle: GuestBundle, filename: string): Promise<ExtensionDefinition>
  /** The extensions that were loaded, by ID. */
  get(id: string): LoadedSandbox | undefined
}

/** Nothing of a sandbox is loaded before an extension needs one. */
const load = () => import('./extension.ts')

/** @param parts.isTrustedAddress - Non-public URLs that guests may request, for tests. @param parts.limits - For tests. */
export function joinSandboxes(
  host: JoiningHost,
  parts: {
    readonly isTrustedAddress?: ((url: URL) => boolean) | undefined
    readonly limits?: Partial<SandboxLimits> | undefined
  } = {},
): Sandboxes {
  const consents = createConsents(host.options)
  const loaded = new Map<string, LoadedSandbox>()
  host.hooks.addAction('deactivated_plugin', (id) => consents.withdraw(id))
  host.addView(() => ({ secrets: { hmac } }))

  const sandboxes: Sandboxes = {
    bundle: async (entry, filename) => (await load()).bundleGuest(entry, filename),
    async define(bundle, filename) {
      const { readManifest, sandboxedDefinition } = await load()
      const manifest = await readManifest(bundle, filename, parts.limits)
      const { id, permissions } = manifest
      consents.check(id, permissions)
      const usage = loaded.get(id)?.usage ?? createUsage()
      loaded.set(id, { permissions, usage })
      return sandboxedDefinition({
        ...{ bundle, filename, manifest, usage },
        ...{ limits: parts.limits, isTrustedAddress: parts.isTrustedAddress },
        onStarted: () => consents.store(id, permissions),
        pause: (why) => void host.extensions.get(id)?.pause(why),
      })
    },
    get: (id) => loaded.get(id),
  }
  registerSandboxRoute(host.rest, sandboxes, host.extensions)
  return sandboxes
}
