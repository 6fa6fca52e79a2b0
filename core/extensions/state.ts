import { z } from 'zod'
import { isJsonRecord } from '../options/json.ts'
import type { JsonValue, Options } from '../options/types.ts'
import type { ExtensionState } from './types.ts'

/** Option with the state of each extension: `{ hello: { state: 'paused', reason: '…' } }`. */
export const STATE_OPTION = 'host_extensions'

const storedSchema = z.object({
  state: z.enum(['active', 'inactive', 'paused']),
  reason: z.string().nullable().default(null),
  /** Set by a process that does not run extensions: a server of the site applies the state, then removes this. */
  isAsked: z.boolean().optional(),
  /**
   * Hooks by which it protects content, or did in its last run. They are closed while it should run but does not, and after a failed
   * activation; they are open while it is inactive.
   */
  protects: z.array(z.string()).optional(),
})

export type StoredState = z.output<typeof storedSchema>

/** The stored state of one extension; `undefined` if there is none or it cannot be read. */
export function readState(options: Options, id: string): StoredState | undefined {
  const stored = storedSchema.safeParse(recordOf(options.get(STATE_OPTION))[id])
  return stored.success ? stored.data : undefined
}

/** Ids of the extensions with a stored state. */
export const storedIds = (options: Options): string[] => Object.keys(recordOf(options.get(STATE_OPTION)))

/** @param isAsked - Whether a server of the site must apply the state. */
export function writeState(
  options: Options,
  id: string,
  state: ExtensionState,
  reason: string | null,
  isAsked = false,
): Promise<void> {
  return store(options, id, () => ({ state, reason, isAsked, protects: readState(options, id)?.protects }))
}

/** Stores the hooks by which an extension protects content, together with its state. */
export function writeProtects(options: Options, id: string, { state, reason }: StoredState, protects: string[]) {
  return store(options, id, () => ({ state, reason, protects }))
}

/** Removes the stored state of an extension. */
export const removeState = (options: Options, id: string): Promise<void> => store(options, id, () => undefined)

function store(options: Options, id: string, next: () => StoredState | undefined): Promise<void> {
  return options.modify(STATE_OPTION, (current) => {
    const { [id]: _, ...others } = recordOf(current)
    const value = next()
    if (!value) return others
    const { state, reason, isAsked, protects = [] } = value
    return { ...others, [id]: { state, reason, ...(isAsked && { isAsked }), ...(protects.length > 0 && { protects }) } }
  })
}

const recordOf = (value: JsonValue | undefined) => (isJsonRecord(value) ? value : {})
