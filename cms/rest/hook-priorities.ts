import { z } from 'zod'
import { RestError } from '../../core/errors.ts'
import { success } from '../../core/rest/response.ts'
import { successSchema } from '../../core/rest/response-schemas.ts'
import type { JoiningHost } from '../../core/types.ts'

/** Name of the option. */
const OPTION = 'hook_priorities'
/** Maximum number of stored priorities. */
const MOST = 1_000

const priority = z.number().min(-100_000).max(100_000)
const moved = z.object({
  hook: z.string().min(1).max(200).describe('Name of the hook.'),
  owner: z.string().min(1).max(100).describe('ID of the extension.'),
  ownPriority: priority.describe('Priority that the extension chose.'),
  priority: priority.describe('Priority at which its callbacks run instead.'),
})
type Moved = z.output<typeof moved>
type Callbacks = Pick<Moved, 'hook' | 'owner' | 'ownPriority'>

const sameCallbacks = (one: Callbacks) => (other: Callbacks) =>
  one.hook === other.hook && one.owner === other.owner && one.ownPriority === other.ownPriority

/**
 * Lets the owner of the site change the order of extensions' callbacks: all callbacks that an extension added to a hook at one priority run
 * at another one. The change applies at once, in every process of the site, and to every later version of the extension.
 */
export function joinHookPriorities({
  hooks,
  inspectHooks,
  options,
  reorderHooks,
  rest,
}: Pick<JoiningHost, 'hooks' | 'inspectHooks' | 'options' | 'reorderHooks' | 'rest'>): void {
  const stored = (value: unknown): readonly Moved[] => z.array(moved).safeParse(value).data ?? []

  function apply(): void {
    const keyOf = (...parts: readonly unknown[]) => JSON.stringify(parts)
    const priorities = new Map(
      stored(options.get(OPTION)).map((one) => [keyOf(one.hook, one.owner, one.ownPriority), one.priority]),
    )
    reorderHooks((callback) =>
      priorities.size === 0
        ? callback.priority
        : (priorities.get(keyOf(callback.name, callback.owner?.id, callback.priority)) ?? callback.priority),
    )
  }

  /** @throws RestError if no running extension has such callbacks */
  function assertExists(wanted: Callbacks): void {
    const { hook, owner, ownPriority } = wanted
    if (owner === 'core') {
      throw new RestError(
        'hook_callback_of_core',
        'Only the priorities of callbacks of extensions and services can be changed.',
        {
          status: 400,
        },
      )
    }
    const callbacks = inspectHooks().find(({ name }) => name === hook)?.listeners ?? []
    if (callbacks.some((one) => one.owner === owner && one.ownPriority === ownPriority)) return
    throw new RestError(
      'hook_callback_not_found',
      `The extension "${owner}" has no callback for ${hook} at priority ${ownPriority}.`,
      { status: 404 },
    )
  }

  apply()
  hooks.addAction('updated_option', (name) => {
    if (name === OPTION) apply()
  })
  rest.registerRoute('host/v1', {
    method: 'PUT',
    path: '/hooks/priorities',
    access: 'manage_options',
    summary:
      'Changes the priority at which callbacks of an extension run, and returns all changed priorities. `null` restores their own priority.',
    input: moved.extend({ priority: priority.nullable() }),
    response: successSchema(z.object({ priorities: z.array(moved) })),
    async handler({ input }) {
      const { priority: chosen, ...callbacks } = input
      const isSame = sameCallbacks(callbacks)
      const isStored = stored(options.get(OPTION)).some(isSame)
      if (!isStored) assertExists(callbacks)
      await options.modify(OPTION, (current) => {
        const others = stored(current).filter((one) => !isSame(one))
        if (chosen === null || chosen === callbacks.ownPriority) return others
        if (others.length >= MOST) {
          throw new RestError('hook_priorities_full', `At most ${MOST} priorities can be changed.`, { status: 409 })
        }
        return [...others, { ...callbacks, priority: chosen }]
      })
      return success({ priorities: [...stored(options.get(OPTION))] })
    },
  })
}
