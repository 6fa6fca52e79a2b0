/** Progress of reading an archive. */
export interface ReadProgress {
  readonly done: boolean
  /** Content bytes read so far. */
  readonly bytes: number
  readonly totalBytes: number
}
