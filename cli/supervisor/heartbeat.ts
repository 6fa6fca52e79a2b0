/** Data shared by the main thread and the watchdog thread. */
import type { Fault } from '../../app/faults/fault.ts'
import type { CodeOwner } from '../../core/extensions/running-code.ts'
import type { MemoryLimit } from './memory-limit.ts'

/** Places in the shared memory, which the main thread writes once a second. */
export const BEAT = { count: 0, resting: 1, inspected: 2, heapMegabytes: 3, rssMegabytes: 4 } as const

/** Name of the main thread's function that identifies the owners of stacks: `(...stacks: string[]) => JSON of Identified[]`. */
export const IDENTIFY = 'pentad.identify'

/** The owner of the running code; `null` if it is not an extension. */
export type Identified = {
  readonly extension: string
  readonly isService: boolean
  readonly place: string | null
  readonly hook: string | null
} | null

export interface WatchdogData {
  readonly beats: Int32Array
  /** Contains the number of the extension whose code the main thread runs. */
  readonly running: Int32Array
  /** For `readNativeCall`. */
  readonly nativeCall: Uint8Array
  /** Which process is watched. Of a command only code of extensions that are not services is ever ended. */
  readonly kind: Fault['process']
  readonly siteDir: string
  readonly stallLimitSeconds: number
  readonly heapLimitMegabytes: number
  readonly memoryLimit: MemoryLimit
}

/** Which extension a number is. */
export interface OwnerMessage {
  readonly number: number
  readonly owner: CodeOwner
}

/** A stall that was not attributed and may be temporary. */
export interface WatchdogMessage {
  readonly seconds: number
  readonly stack: string
}
