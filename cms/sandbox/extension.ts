import { z } from 'zod'
import type { ExtensionDefinition, ExtensionHost } from '../../core/extensions/types.ts'
import { bundleGuest, type GuestCode } from './bundle.ts'
import type { Kill } from './errors.ts'
import { loadPatterns } from './from-json-schema.ts'
import { type SandboxLimits, START } from './messages.ts'
import { createMethods } from './methods.ts'
import { permissionsSchema } from './permissions.ts'
import { EVENT, registerAll } from './registrations.ts'
import { createSandbox } from './sandbox.ts'
import type { SandboxUsage } from './usage.ts'

/** This many kills within a minute pause an extension. */
const MOST_KILLS = 3
/** Wall time of `setup`, in milliseconds: it includes the start of the thread. */
const SETUP_WALL = 15_000

const manifestSchema = z.object({
  ...{ id: z.string().max(60), name: z.string().max(200), version: z.string().max(100) },
  description: z.string().max(1_000).optional(),
  pro: z.boolean().optional(),
  hasSetup: z.literal(true, 'There is no setup function.'),
  hasUninstall: z.boolean(),
  permissions: permissionsSchema.prefault({}),
})

/** What a sandboxed extension says about itself. */
export type SandboxManifest = z.output<typeof manifestSchema>

export { bundleGuest }

/** Reads the manifest of an extension by evaluating its code in a sandbox that can do nothing. @throws Error if it is invalid */
export async function readManifest(
  { code }: GuestCode,
  filename: string,
  limits?: Partial<SandboxLimits>,
): Promise<SandboxManifest> {
  const sandbox = createSandbox({
    ...{ code, filename, limits, methods: { sync: [], async: [] } },
    handle: () => {
      throw new Error('The host is available in setup.')
    },
    onKill: () => {},
    onDone: () => {},
  })
  try {
    const described = await sandbox.call({
      what: 'The manifest',
      message: { type: 'describe' },
      needsSetup: false,
      wall: SETUP_WALL,
    })
    const manifest = manifestSchema.safeParse(described)
    if (manifest.success) return manifest.data
    throw new Error(`The manifest is invalid: ${z.prettifyError(manifest.error)}`)
  } finally {
    await sandbox.close()
  }
}

export interface SandboxedParts {
  readonly bundle: GuestCode
  readonly filename: string
  readonly manifest: SandboxManifest
  readonly usage: SandboxUsage
  /** Maps a stack trace to the author's files. */
  mapStack(stack: string): string
  readonly limits: Partial<SandboxLimits> | undefined
  readonly isTrustedAddress: ((url: URL) => boolean) | undefined
  readonly fetch: typeof fetch | undefined
  /** @throws Error that names what an administrator did not consent to */
  checkConsent(): void
  hasConsent(): boolean
  /** Called when `setup` has succeeded. */
  onStarted(): Promise<void>
  pause(why: string): void
}

/** The definition with which the host runs a sandboxed extension: its `setup` starts the sandbox and registers what the guest asks for. */
export function sandboxedDefinition(parts: SandboxedParts): ExtensionDefinition {
  const { id, name, version, description, pro, hasUninstall } = parts.manifest
  return {
    ...{ id, name, version },
    ...(description !== undefined && { description }),
    ...(pro !== undefined && { pro }),
    setup: (host) => setUp(host, parts),
    ...(hasUninstall && { uninstall: (host) => uninstall(host, parts) }),
  }
}

/** Opens the sandbox of an extension, which is closed when the extension is unloaded. */
async function open(host: ExtensionHost, parts: SandboxedParts) {
  const { bundle, filename, usage, limits, isTrustedAddress, fetch, manifest } = parts
  const patterns = await loadPatterns()
  const granted = manifest.permissions
  const methods = createMethods({ host, granted, usage, patterns, isTrustedAddress, fetch })
  const site = { url: host.site.url, environment: host.site.environment }
  let isPaused = false
  function onKill(kill: Kill): void {
    usage.kill({ ...kill, stack: parts.mapStack(kill.stack) })
    host.log.warn({ hook: kill.what, reason: kill.reason, stack: kill.stack }, 'sandboxed call ended')
    if (isPaused || usage.recentKills() < MOST_KILLS) return
    isPaused = true
    parts.pause(
      `Its sandbox terminated ${MOST_KILLS} calls within a minute, most recently ${kill.what} (${kill.reason}).`,
    )
  }
  const sandbox = createSandbox({
    ...{ code: bundle.code, filename, limits, methods: methods.names, site },
    ...{ handle: methods.handle, onKill, onDone: usage.cost },
  })
  host.onDispose(sandbox.close)
  return { sandbox, granted, patterns, methods: methods.names, site }
}

async function setUp(host: ExtensionHost, parts: SandboxedParts): Promise<void> {
  parts.checkConsent()
  const { sandbox, granted, patterns } = await open(host, parts)
  const registrations = await sandbox.call({ what: 'setup', message: START, wall: SETUP_WALL })
  registerAll(registrations, { host, granted, usage: parts.usage, sandbox, patterns })
  await parts.onStarted()
}

async function uninstall(host: ExtensionHost, parts: SandboxedParts): Promise<void> {
  // Without a consent it never ran, so it has stored nothing.
  if (!parts.hasConsent()) return
  const { sandbox, methods, site } = await open(host, parts)
  const message = { type: 'uninstall', methods, site }
  await sandbox.call({ what: 'uninstall', message, needsSetup: false, ...EVENT })
}
