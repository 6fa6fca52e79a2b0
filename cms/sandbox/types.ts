import type { Secrets } from './hmac.ts'
import type { GrantedPermissions, SandboxPermissions } from './permissions.ts'
import type { SandboxUsage } from './usage.ts'

declare module '../../core/extensions/types.ts' {
  interface ExtensionDefinition {
    /** `process`, the default: it may do all that the site may. See `SandboxDefinition` for the other. */
    readonly isolation?: 'process'
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
