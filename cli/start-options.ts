/** What `pentad start` was called with. */
export interface StartOptions {
  readonly port?: string
  readonly host?: string
  readonly watch?: boolean
  readonly safeMode?: boolean
}
