import { z } from 'zod'
import type { Options } from '../options/types.ts'
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
  const record = options.get(STATE_OPTION)
  if (typeof record !== 'object' || record === null || !Object.hasOwn(record, id)) return undefined
  const stored = storedSchema.safeParse(Reflect.get(record, id))
  return stored.success ? stored.data : undefined
}

/** Ids of the extensions with a stored state. */
export function storedIds(options: Options): string[] {
  const record = options.get(STATE_OPTION)
  return typeof record === 'object' && record !== null ? Object.keys(record) : []
}

/** @param isAsked - Whether a server of the site must apply the state. */
export async function writeState(
  options: Options,
  id: string,
  state: ExtensionState,
  reason: string | null,
  isAsked = false,
) {
  await options.modify(STATE_OPTION, (current) => {
    const others = typeof current === 'object' && current !== null && !Array.isArray(current) ? current : {}
    const protects = readState(options, id)?.protects
    return { ...others, [id]: { state, reason, ...(isAsked && { isAsked }), ...(protects && { protects }) } }
  })
}

/** Stores the hooks by which an extension protects content, together with its state. */
export async function writeProtects(options: Options, id: string, { state, reason }: StoredState, protects: string[]) {
  await options.modify(STATE_OPTION, (current) => {
    const others = typeof current === 'object' && current !== null && !Array.isArray(current) ? current : {}
    return { ...others, [id]: { state, reason, ...(protects.length > 0 && { protects }) } }
  })
}
