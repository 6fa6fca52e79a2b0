import { descriptorLimit } from '../core/files/file-descriptors.ts'
import { heapLimit } from './supervisor/heap-limit.ts'

/** Megabytes of V8's heap. Below this, a site with its services ends while it starts, or at its first requests. */
const LEAST_HEAP = 96
/** Megabytes of a container: those of the site and of the process that supervises it. Below this, the kernel ends the site. */
const LEAST_MEMORY = 256
/** Below this, a site has too few descriptors for the files of a page while clients are connected. */
const LEAST_DESCRIPTORS = 128

/** What a process may use, memory in megabytes; `undefined` without a limit. */
interface Limits {
  readonly heap: number
  readonly memory: number | undefined
  readonly descriptors: number | undefined
}

/** @throws Error with what to do if this process may not use as much memory or as many open files as a site needs */
export function requireResources(limits: Limits = readLimits()): void {
  const { heap, memory = LEAST_MEMORY, descriptors = LEAST_DESCRIPTORS } = limits
  if (memory < LEAST_MEMORY) {
    throw new Error(
      `Pentad needs at least ${LEAST_MEMORY} MB of memory, but the limit of this container or service is ${memory} MB. Raise it, for example: docker run --memory 1g`,
    )
  }
  if (heap < LEAST_HEAP) {
    throw new Error(
      `Pentad needs at least ${LEAST_HEAP} MB of heap, but Node.js is limited to ${heap} MB. Provide more memory, or raise the limit: NODE_OPTIONS=--max-old-space-size=256`,
    )
  }
  if (descriptors < LEAST_DESCRIPTORS) {
    throw new Error(
      `Pentad needs at least ${LEAST_DESCRIPTORS} open files, but the limit is ${descriptors}. Raise it: ulimit -n 65536, or LimitNOFILE=65536 in a systemd unit.`,
    )
  }
}

function readLimits(): Limits {
  // Without a limit it is 0, or more than there is.
  const memory = Math.round(process.constrainedMemory() / 1024 / 1024)
  return { heap: heapLimit(), memory: memory === 0 ? undefined : memory, descriptors: descriptorLimit() }
}
