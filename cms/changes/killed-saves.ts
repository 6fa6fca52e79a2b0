import type { JoiningHost } from '../../core/types.ts'
import type { ChangeLog } from './log.ts'
import type { Purger } from './purger.ts'

/** Default interval, in ms. */
const LOOK_EVERY = 30_000
/** Milliseconds after which a row is that of a killed process: a running one removes its rows within 80 seconds, except during a longer request. */
const ABANDONED_AFTER = 150_000
const REASON = 'The site stopped unexpectedly after a change.'

/**
 * Purges all pages if a process was killed between a change of content and its entry in the log: before the only node of a site serves pages,
 * and whenever a process, such as a command, has left a row. Also removes the rows of changes that purged nothing.
 *
 * @param parts.serves Whether this process serves the site.
 * @param parts.isFirst Whether it was started before all others of this machine that serve the site.
 */
export function joinKilledSaves(
  { hooks, log, config, onClosed }: Pick<JoiningHost, 'hooks' | 'log' | 'config' | 'onClosed'>,
  parts: {
    readonly changeLog: ChangeLog
    readonly purger: Pick<Purger, 'site' | 'settle'>
    readonly serves: boolean
    readonly isFirst: boolean
    /** Monotonic, in ms. */
    readonly clock: () => number
    /** Milliseconds between two looks. */
    readonly interval?: number
  },
): void {
  const { changeLog, purger, serves, isFirst, clock, interval = LOOK_EVERY } = parts
  /** When this process first saw each row: clocks of processes may differ. */
  let seen = new Map<string, number>()

  async function purgeFor(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    // If this process is killed, too, no page from before is left on disk.
    purger.site(REASON, true)
    await changeLog.replace(ids, REASON)
    // A running process may have used the row until then.
    purger.site(REASON, true)
  }

  async function look(): Promise<void> {
    await purger.settle()
    await changeLog.removeUnrecorded()
    if (!serves) return
    const now = clock()
    const found = await changeLog.unrecordedElsewhere()
    seen = new Map(found.map((id) => [id, seen.get(id) ?? now]))
    await purgeFor(found.filter((id) => now - (seen.get(id) ?? now) >= ABANDONED_AFTER))
  }

  const warn = (error: unknown) => log.warn({ err: error }, 'could not check whether all changes are recorded')
  const timer = setInterval(() => void look().catch(warn), interval).unref()
  // With several nodes or workers, the row may be that of a running one.
  if (serves && isFirst && config.nodes === 'one') {
    hooks.addAction('init', async () => purgeFor(await changeLog.unrecordedElsewhere()), 100)
  }
  onClosed(() => clearInterval(timer))
}
