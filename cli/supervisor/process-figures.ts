import { openSync, readSync } from 'node:fs'

/** Bytes: more than any of the files below has. */
const LONGEST = 8192

/**
 * Reads the resident memory of the process, in megabytes. On Linux from a file that is opened once: `process.memoryUsage.rss()` opens it
 * each time and throws without file descriptors.
 */
export function createMemoryReader(): () => number {
  const read = openRepeatable('/proc/self/status')
  return () => {
    // proc_pid_status(5)
    const kilobytes = read && /^VmRSS:\s+(\d+) kB$/m.exec(read())?.[1]
    return kilobytes === undefined ? process.memoryUsage.rss() / 1024 / 1024 : Number(kilobytes) / 1024
  }
}

/** Milliseconds for which the main thread was runnable while other processes used its processor; 0 if the system does not provide it. */
export function createStarvationReader(): () => number {
  const read = openRepeatable(`/proc/self/task/${process.pid}/schedstat`)
  // proc(5): nanoseconds on a processor, nanoseconds waiting for one, and the number of time slices.
  return () => (read ? Number(read().split(' ')[1]) / 1e6 : 0)
}

/** Reads a file of /proc, which has new contents each time. `undefined` where there is none. */
function openRepeatable(path: string): (() => string) | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    // Only Linux has it.
    return undefined
  }
  const buffer = Buffer.alloc(LONGEST)
  return () => buffer.toString('latin1', 0, readSync(file, buffer, 0, LONGEST, 0))
}
