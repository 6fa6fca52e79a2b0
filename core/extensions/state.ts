import { z } from 'zod'
import type { Options } from '../options/types.ts'
import type { ExtensionState } from './types.ts'

/** Option that keeps the state of each extension: `{ hello: { state: 'paused', reason: '…' } }`. */
export const STATE_OPTION = 'host_extensions'

const storedSchema = z.object({
  state: z.enum(['active', 'inactive', 'paused']),
  reason: z.string().nullable().default(null),
  /** The process that wrote it runs no extensions: a server of the site is to follow, and to take this away when it has. */
  isAsked: z.boolean().optional(),
  /**
   * Hooks by which it protects content, or did when it last ran: what they protect stays closed while it should run and does
   * not. While it is inactive they are open; an activation that fails closes them.
   */
  protects: z.array(z.string()).optional(),
})

export type StoredState = z.output<typeof storedSchema>

/** What is stored of one extension; `undefined` if nothing is, or nothing that can be read. */
export function readState(options: Options, id: string): StoredState | undefined {
  const record = options.get(STATE_OPTION)
  if (typeof record !== 'object' || record === null || !Object.hasOwn(record, id)) return undefined
  const stored = storedSchema.safeParse(Reflect.get(record, id))
  return stored.success ? stored.data : undefined
}

/** Ids of the extensions of which a state is stored. */
export function storedIds(options: Options): string[] {
  const record = options.get(STATE_OPTION)
  return typeof record === 'object' && record !== null ? Object.keys(record) : []
}

/** @param isAsked - Leaves it to a server of the site to follow. */
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

/** Stores by which hooks an extension protects content, beside its state. */
export async function writeProtects(options: Options, id: string, { state, reason }: StoredState, protects: string[]) {
  await options.modify(STATE_OPTION, (current) => {
    const others = typeof current === 'object' && current !== null && !Array.isArray(current) ? current : {}
    return { ...others, [id]: { state, reason, ...(protects.length > 0 && { protects }) } }
  })
}
