/**
 * Milliseconds that requests, jobs and calls of extensions in progress get to end, all together, when a site closes. With what follows
 * it has to be less than 10 s, after which Docker kills a process that it stops.
 */
export const CLOSE_GRACE = 7_000

/** The time in which a site closes. All that is in progress shares it, so that several things that hang take no longer than one. */
export interface ClosingTime {
  /** From now on it runs. */
  begin(): void
  /** Milliseconds that are left; all of them before it runs. */
  left(): number
}

export function createClosingTime(): ClosingTime {
  let end: number | undefined
  return {
    begin() {
      end ??= performance.now() + CLOSE_GRACE
    },
    left: () => (end === undefined ? CLOSE_GRACE : Math.max(0, end - performance.now())),
  }
}

/** Waits until work has ended, or for that many milliseconds. Resolves to whether it has ended. */
export async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const time = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => time.resolve(false), milliseconds)
  try {
    return await Promise.race([work.then(() => true), time.promise])
  } finally {
    clearTimeout(timer)
  }
}
