/** Options of `pentad start`. */
export interface StartOptions {
  /** The command that serves the site, for messages. */
  readonly command?: 'start' | 'dev'
  readonly port?: string
  readonly host?: string
  readonly watch?: boolean
  readonly safeMode?: boolean
  /** Whether sandboxed extensions get all permissions that they ask for. */
  readonly allowsAllPermissions?: boolean
  /** Number of processes that serve the site. */
  readonly workers?: number
}
