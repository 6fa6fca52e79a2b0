/**
 * Milliseconds for requests, jobs and extension calls in progress to finish, in total, when a site closes. Together with the rest of the
 * shutdown it must be less than 10 s, after which Docker kills a stopping container.
 */
export const CLOSE_GRACE = 7_000

/** The shared time limit of a shutdown, so that several hanging operations take no longer than one. */
export function createClosingTime() {
  let end: number | undefined
  return {
    /** Starts the time limit. */
    begin() {
      end ??= performance.now() + CLOSE_GRACE
    },
    /** Remaining milliseconds; the full time before `begin`. */
    remaining: () => (end === undefined ? CLOSE_GRACE : Math.max(0, end - performance.now())),
  }
}

/** Waits for work, at most that many milliseconds. Resolves to whether the work has ended. */
export async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const time = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => time.resolve(false), milliseconds)
  try {
    return await Promise.race([work.then(() => true), time.promise])
  } finally {
    clearTimeout(timer)
  }
}
