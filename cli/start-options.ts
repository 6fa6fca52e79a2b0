/** Options of `pentad start`. */
export interface StartOptions {
  readonly port?: string
  readonly host?: string
  readonly watch?: boolean
  readonly safeMode?: boolean
}
