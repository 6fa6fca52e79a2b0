/** Memory limits before the kernel ends this or other processes, in megabytes. */
export interface MemoryLimit {
  readonly megabytes: number
  /** Whether the limit was configured; otherwise the process also ends before the machine runs out of memory. */
  readonly isChosen: boolean
}
