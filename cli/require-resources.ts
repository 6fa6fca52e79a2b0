import { descriptorLimit } from '../core/files/file-descriptors.ts'
import { heapLimit } from './supervisor/heap-limit.ts'

/** Megabytes of V8's heap. Below this, a site with its services ends while it starts, or at its first requests. */
const LEAST_HEAP = 96
/** Below this, a site has too few descriptors for the files of a page while clients are connected. */
const LEAST_DESCRIPTORS = 128

/** @throws Error with what to do if this process may not use as much memory or as many open files as a site needs */
export function requireResources(): void {
  const heap = heapLimit()
  if (heap < LEAST_HEAP) {
    throw new Error(
      `Pentad needs at least ${LEAST_HEAP} MB of heap, but Node.js is limited to ${heap} MB. Provide more memory, or raise the limit: NODE_OPTIONS=--max-old-space-size=256`,
    )
  }
  const descriptors = descriptorLimit() ?? LEAST_DESCRIPTORS
  if (descriptors < LEAST_DESCRIPTORS) {
    throw new Error(
      `Pentad needs at least ${LEAST_DESCRIPTORS} open files, but the limit is ${descriptors}. Raise it: ulimit -n 65536, or LimitNOFILE=65536 in a systemd unit.`,
    )
  }
}
