import { messageOf } from '../api/error.ts'
import { _n, sprintf } from '../i18n.ts'
import { formatNumber } from './format.ts'

/**
 * Runs the same operation for several items, one after the other; a failure does not stop the rest.
 * @throws Error with the number of failures and the first error message
 */
export async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<number> {
  const failures: unknown[] = []
  for (const item of items) await work(item).catch((error: unknown) => failures.push(error))
  if (failures.length === 0) return items.length
  const why = messageOf(failures[0])
  if (items.length === 1) throw failures[0]
  throw new Error(
    sprintf(
      _n('%1$s of %2$s failed: %3$s', '%1$s of %2$s failed. First error: %3$s', failures.length, 'pentad'),
      ...[formatNumber(failures.length), formatNumber(items.length), why],
    ),
  )
}
