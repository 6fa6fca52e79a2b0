/** How far a reading has come. */
export interface ReadProgress {
  readonly done: boolean
  /** Bytes of content. */
  readonly bytes: number
  readonly totalBytes: number
}
