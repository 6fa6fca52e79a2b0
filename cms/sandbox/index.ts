import type { ExtensionDefinition } from '../../core/extensions/types.ts'
import type { JoiningHost } from '../../core/types.ts'
import type { GuestBundle } from './bundle.ts'
import { createConsents } from './consents.ts'
import { hmac } from './hmac.ts'
import type { SandboxLimits } from './messages.ts'
import { isReservedId } from './reserved-ids.ts'
import { registerSandboxRoute } from './routes.ts'
import type { LoadedSandbox } from './types.ts'
import { createUsage } from './usage.ts'

export type { SandboxLimits } from './messages.ts'

/** Runs extensions in sandboxes. */
export interface Sandboxes {
  /** Bundles an extension for the sandbox. @throws the error of esbuild */
  bundle(entry: string, root: string, filename: string): Promise<GuestBundle>
  /**
   * Prepares to run an extension.
   *
   * @param isActivation - Whether an administrator activates it, which consents to what its manifest asks for.
   * @returns the definition that the host runs in place of the extension's own
   * @throws Error if its ID is another one or reserved, its manifest is invalid, or it asks for more than an administrator consented to
   */
  define(
    bundle: GuestBundle,
    about: { filename: string; id: string; isActivation: boolean },
  ): Promise<ExtensionDefinition>
  /**
   * Called before an extension runs without a sandbox.
   *
   * @throws Error if an administrator consented to it in a sandbox only
   */
  leave(id: string, isActivation: boolean): Promise<void>
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
  host.addView(() => ({ secrets: { hmac } }))

  const sandboxes: Sandboxes = {
    bundle: async (...asked) => (await load()).bundleGuest(...asked),
    async define(bundle, { filename, id, isActivation }) {
      if (isReservedId(id)) throw new Error(`The ID ${id} is reserved: a part of Pentad uses it. Choose another one.`)
      const { readManifest, sandboxedDefinition } = await load()
      const manifest = await readManifest(bundle, filename, parts.limits)
      const { permissions } = manifest
      if (manifest.id !== id) {
        throw new Error(`Its ID is "${manifest.id}", but "${id}" was expected. Write the ID as a string literal.`)
      }
      if (!isActivation) consents.check(id, permissions)
      const usage = loaded.get(id)?.usage ?? createUsage()
      loaded.set(id, { permissions, usage })
      return sandboxedDefinition({
        ...{ bundle, filename, manifest, usage },
        ...{ limits: parts.limits, isTrustedAddress: parts.isTrustedAddress },
        onStarted: () => consents.store(id, permissions),
        pause: (why) => void host.extensions.get(id)?.pause(why),
      })
    },
    async leave(id, isActivation) {
      if (isActivation) await consents.withdraw(id)
      else consents.checkLeaving(id)
      loaded.delete(id)
    },
    get: (id) => loaded.get(id),
  }
  registerSandboxRoute(host.rest, sandboxes, host.extensions)
  return sandboxes
}
