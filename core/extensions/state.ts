import { z } from 'zod'
import type { Options } from '../options/types.ts'
import type { ExtensionState } from './types.ts'

/** Option that keeps the state of each extension: `{ hello: { state: 'paused', reason: '…' } }`. */
export const STATE_OPTION = 'host_extensions'

const storedSchema = z.object({
  state: z.enum(['active', 'inactive', 'paused']),
  reason: z.string().nullable().default(null),
})

export type StoredState = z.output<typeof storedSchema>

/** What is stored of one extension; `undefined` if nothing is, or nothing that can be read. */
export function readState(options: Options, id: string): StoredState | undefined {
  const record = options.get(STATE_OPTION)
  if (typeof record !== 'object' || record === null || !Object.hasOwn(record, id)) return undefined
  const stored = storedSchema.safeParse(Reflect.get(record, id))
  return stored.success ? stored.data : undefined
}

export async function writeState(options: Options, id: string, state: ExtensionState, reason: string | null) {
  await options.modify(STATE_OPTION, (current) => {
    const others = typeof current === 'object' && current !== null && !Array.isArray(current) ? current : {}
    return { ...others, [id]: { state, reason } }
  })
}
