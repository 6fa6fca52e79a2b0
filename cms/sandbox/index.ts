import type { ExtensionDefinition } from '../../core/extensions/types.ts'
import type { JoiningHost } from '../../core/types.ts'
import type { GuestBundle, GuestCode } from './bundle.ts'
import { createChoices, type SandboxChoices } from './choices.ts'
import { createConsents } from './consents.ts'
import { hmac } from './hmac.ts'
import type { SandboxLimits } from './messages.ts'
import { permissionItems } from './permissions.ts'
import { isReservedId } from './reserved-ids.ts'
import { registerSandboxRoute } from './routes.ts'
import type { LoadedSandbox } from './types.ts'
import { createUsage } from './usage.ts'

export type { Isolation } from './choices.ts'
export type { SandboxLimits } from './messages.ts'

/** What an extension asks an administrator for. */
export interface AskedPermissions {
  /** What it may do in its sandbox; `null` without one. */
  readonly permissions: readonly string[] | null
  /** Which of these permissions no administrator has granted yet. */
  readonly added: readonly string[]
}

/** Runs extensions in sandboxes. */
export interface Sandboxes extends SandboxChoices {
  /** Bundles an extension for the sandbox. @throws the error of esbuild */
  bundle(entry: string, root: string, filename: string): Promise<GuestBundle>
  /**
   * Prepares to run an extension.
   *
   * @param isActivation - Whether an administrator activates it, which consents to what its manifest asks for.
   * @param mapStack - Maps a stack trace to the author's files.
   * @returns the definition that the host runs in place of the extension's own
   * @throws Error if its ID is another one or reserved, or its manifest is invalid. Its `setup` throws if it asks for more than an
   * administrator consented to.
   */
  define(
    bundle: GuestCode,
    about: { filename: string; id: string; isActivation: boolean; mapStack(stack: string): string },
  ): Promise<ExtensionDefinition>
  /**
   * What an extension asks for, from a version that does not run yet. Its code runs in a sandbox that can do nothing.
   *
   * @param bundle - `undefined` for a version without a sandbox.
   * @throws Error if its manifest is invalid
   */
  ask(bundle: GuestCode | undefined, about: { filename: string; id: string }): Promise<AskedPermissions>
  /** Consents to what a version adds, before it is loaded. @returns a function that restores the former consent */
  allow(id: string, added: readonly string[]): Promise<() => Promise<void>>
  /** Called when an extension is removed. */
  forget(id: string): Promise<void>
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

/**
 * @param parts.isTrustedAddress - Non-public URLs that guests may request, for tests.
 * @param parts.fetch - Sends the requests of guests, except to these URLs, for tests.
 * @param parts.limits - For tests.
 * @param parts.allowsAll - Whether extensions get all permissions that they ask for, without an administrator.
 */
export function joinSandboxes(
  host: JoiningHost,
  parts: {
    readonly isTrustedAddress?: ((url: URL) => boolean) | undefined
    readonly fetch?: typeof fetch | undefined
    readonly allowsAll?: boolean | undefined
    readonly limits?: Partial<SandboxLimits> | undefined
  } = {},
): Sandboxes {
  const consents = createConsents(host.options)
  const loaded = new Map<string, LoadedSandbox>()
  const isAllowed = (isActivation: boolean) => isActivation || parts.allowsAll === true
  host.addView(() => ({ secrets: { hmac } }))

  const readChecked = async (bundle: GuestCode, { filename, id }: { filename: string; id: string }) => {
    if (isReservedId(id)) throw new Error(`The ID ${id} is reserved: a part of Pentad uses it. Choose another one.`)
    const manifest = await (await load()).readManifest(bundle, filename, parts.limits)
    if (manifest.id === id) return manifest
    throw new Error(`Its ID is "${manifest.id}", but "${id}" was expected. Write the ID as a string literal.`)
  }

  const sandboxes: Sandboxes = {
    ...createChoices(host.options),
    bundle: async (...asked) => (await load()).bundleGuest(...asked),
    async define(bundle, { filename, id, isActivation, mapStack }) {
      const manifest = await readChecked(bundle, { filename, id })
      const { permissions } = manifest
      const added = () => consents.added(id, permissions)
      const usage = loaded.get(id)?.usage ?? createUsage()
      // If its `setup` fails, an administrator sees where the code was, unless another version keeps running.
      if (!host.extensions.get(id)?.running) loaded.set(id, { permissions, usage })
      return (await load()).sandboxedDefinition({
        ...{ bundle, filename, manifest, usage, mapStack },
        ...{ limits: parts.limits, isTrustedAddress: parts.isTrustedAddress, fetch: parts.fetch },
        checkConsent: () => isAllowed(isActivation) || consents.check(added()),
        hasConsent: () => added().length === 0,
        async onStarted() {
          const allowed = parts.allowsAll ? added() : []
          if (allowed.length > 0) host.log.info({ extension: id, permissions: allowed }, 'permissions granted')
          loaded.set(id, { permissions, usage })
          await consents.store(id, permissions)
        },
        pause: (why) => void host.extensions.get(id)?.pause(why),
      })
    },
    async ask(bundle, about) {
      if (bundle === undefined) return { permissions: null, added: consents.addedWithoutSandbox(about.id) }
      const { permissions } = await readChecked(bundle, about)
      return {
        permissions: permissionItems(permissions).map(({ text }) => text),
        added: consents.added(about.id, permissions),
      }
    },
    allow: consents.add,
    async forget(id) {
      await consents.withdraw(id)
      await sandboxes.choose(id, false)
      loaded.delete(id)
    },
    async leave(id, isActivation) {
      if (isAllowed(isActivation)) await consents.withdraw(id)
      else consents.check(consents.addedWithoutSandbox(id))
      loaded.delete(id)
    },
    get: (id) => loaded.get(id),
  }
  registerSandboxRoute(host.rest, sandboxes, host.extensions)
  return sandboxes
}
