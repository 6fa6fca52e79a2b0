import { AFTER_COMMIT } from '../../../core/hooks/index.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import type { Term } from '../types.ts'
import './hooks.ts'

/** Fires the actions for a created or changed term, in WordPress's order. */
export async function announceSaved(
  hooks: Hooks,
  { id, taxonomy }: Term,
  { update, args }: { update: boolean; args: object },
): Promise<void> {
  const { doActionAsync } = hooks.limited(AFTER_COMMIT)
  const [during, done] = update ? (['edit', 'edited'] as const) : (['create', 'created'] as const)
  for (const verb of [during, done]) {
    await doActionAsync(`${verb}_term`, id, id, taxonomy, args)
    await doActionAsync(`${verb}_${taxonomy}`, id, id, args)
  }
  await doActionAsync('saved_term', id, id, taxonomy, update, args)
  await doActionAsync(`saved_${taxonomy}`, id, id, update, args)
}

/** Fires the actions for a deleted term, with the posts that had it. */
export async function announceDeleted(hooks: Hooks, term: Term, postIds: readonly number[]): Promise<void> {
  const { doActionAsync } = hooks.limited(AFTER_COMMIT)
  await doActionAsync('delete_term', term.id, term.id, term.taxonomy, term, postIds)
  await doActionAsync(`delete_${term.taxonomy}`, term.id, term.id, term, postIds)
}
