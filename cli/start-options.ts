/** Options of `pentad start`. */
export interface StartOptions {
  readonly port?: string
  readonly host?: string
  readonly watch?: boolean
  readonly safeMode?: boolean
  /** Number of processes that serve the site. */
  readonly workers?: number
}
