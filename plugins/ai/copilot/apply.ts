import { isDeepStrictEqual } from 'node:util'
import { type Abilities, RestError, type User } from 'pentad'
import type { Changes } from './changes.ts'
import type { ChangeRow } from './tables.ts'

/**
 * Applies a change that the user accepted. Since the proposal, the content or the permissions of the user may have
 * changed: the ability is previewed again, and the result must match what the user saw.
 * @throws RestError 409 `change_settled`, 409 `change_stale` with `data.current`, and errors of the ability
 */
export async function applyChange(
  { abilities, changes }: { abilities: Pick<Abilities, 'preview' | 'run'>; changes: Changes },
  row: ChangeRow,
  user: User,
): Promise<{ row: ChangeRow; result: Record<string, unknown> }> {
  await changes.claim(row)
  const result = await make(abilities, row, user).catch(async (error) => {
    await changes.settle(row.id, 'proposed')
    throw error
  })
  return { row: await changes.settle(row.id, 'applied'), result }
}

async function make(
  abilities: Pick<Abilities, 'preview' | 'run'>,
  { ability, input: given, target, before, after }: ChangeRow,
  user: User,
): Promise<Record<string, unknown>> {
  const input: unknown = JSON.parse(given)
  const now = await abilities.preview(ability, input, user)
  const isAsSeen =
    isDeepStrictEqual(asJson(now.before), JSON.parse(before)) &&
    isDeepStrictEqual(asJson(now.after), JSON.parse(after)) &&
    isDeepStrictEqual(now.target.id, JSON.parse(target).id)
  if (!isAsSeen) {
    const message = 'The content has changed since this was proposed. Ask the copilot again.'
    throw new RestError('change_stale', message, { status: 409, current: now.before })
  }
  return abilities.run(ability, input, user)
}

/** Normalized as JSON. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
