import type { JoiningHost } from '../../core/types.ts'
import { PERIOD, removeUnrecorded, unrecordedRows } from '../content/unrecorded-saves.ts'
import type { Purger } from './purger.ts'

/**
 * Purges all pages if a process was killed between a save and its entry in the change log: before this one serves, and whenever another one, such as a
 * command, is killed. Periodically removes the notes of recorded saves, so that this costs a save no statement.
 *
 * @param parts.serves Whether this process has all page caches to purge.
 * @returns a function that removes the notes of this process, to be called once all its changes are recorded
 */
export function joinKilledSaves(
  { hooks, log, database, config }: Pick<JoiningHost, 'hooks' | 'log' | 'database' | 'config'>,
  { purger, serves }: { purger: Pick<Purger, 'site' | 'recorded'>; serves: boolean },
): () => Promise<void> {
  const rows = () => unrecordedRows(database, config.nodes === 'one')

  async function look(): Promise<void> {
    const { settled, lost } = await rows()
    const purged = serves ? lost : []
    if (purged.length > 0) purger.site('The site ended unexpectedly after a change.')
    await purger.recorded()
    await removeUnrecorded(database, [...settled, ...purged])
  }

  const warn = (error: unknown) => log.warn({ err: error }, 'could not check whether all changes are recorded')
  const timer = setInterval(() => void look().catch(warn), PERIOD).unref()
  if (serves) hooks.addAction('init', look)
  return async () => {
    clearInterval(timer)
    await rows()
      .then(({ own }) => removeUnrecorded(database, own))
      .catch(warn)
  }
}
