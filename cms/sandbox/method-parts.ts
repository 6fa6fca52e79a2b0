import type { ExtensionHost } from '../../core/extensions/types.ts'
import type { loadPatterns } from './from-json-schema.ts'
import type { GrantedPermissions } from './permissions.ts'
import type { SandboxUsage } from './usage.ts'

/** What the methods of one guest work with. */
export interface MethodParts {
  readonly host: ExtensionHost
  readonly granted: GrantedPermissions
  readonly usage: SandboxUsage
  readonly patterns: Awaited<ReturnType<typeof loadPatterns>>
  /** Non-public URLs that it may request, for tests. */
  readonly isTrustedAddress: ((url: URL) => boolean) | undefined
  /** Sends its requests to the responders of a test. */
  readonly fetch: typeof fetch | undefined
}
