import type { Secrets } from './hmac.ts'
import type { GrantedPermissions, SandboxPermissions } from './permissions.ts'
import type { SandboxUsage } from './usage.ts'

declare module '../../core/extensions/types.ts' {
  interface ExtensionDefinition {
    /** Where it runs: `process`, the default, with all that the site may do, or `sandbox`, with what `permissions` allow. */
    readonly isolation?: 'process' | 'sandbox'
    /** What it may do in a sandbox. */
    readonly permissions?: SandboxPermissions
  }

  interface ExtensionHost {
    readonly secrets: Secrets
  }
}

/** A sandboxed extension that was loaded. */
export interface LoadedSandbox {
  readonly permissions: GrantedPermissions
  readonly usage: SandboxUsage
}

export type { SandboxActionName, SandboxFilterName } from './allowed-hooks.ts'
export type * from './define.ts'
export type { HmacOptions, Secrets } from './hmac.ts'
export type { SandboxPermissions } from './permissions.ts'
