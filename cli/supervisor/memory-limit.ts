/** What a process may take before the kernel ends it or others. Megabytes. */
export interface MemoryLimit {
  readonly megabytes: number
  /** Whether the owner chose it; else the process also ends before the machine has no memory left for others. */
  readonly isChosen: boolean
}
