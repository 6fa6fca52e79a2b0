import { z } from 'zod'
import type { Options } from '../../core/options/types.ts'

/** Option with the IDs of extensions that an administrator runs in a sandbox, of those that run with and without one. */
const OPTION = 'sandbox_chosen'

const idsSchema = z.array(z.string()).catch([])

/** Where an extension says that it runs: `optional` leaves it to the administrator. */
export type Isolation = 'process' | 'sandbox' | 'optional'

/** Which extensions with `isolation: 'optional'` run in a sandbox. */
export interface SandboxChoices {
  /** Whether an extension runs in a sandbox. */
  isSandboxed(id: string, isolation: Isolation): boolean
  /** Applies from the next load of the extension. */
  choose(id: string, isSandboxed: boolean): Promise<void>
}

export function createChoices(options: Options): SandboxChoices {
  return {
    isSandboxed: (id, isolation) =>
      isolation === 'sandbox' || (isolation === 'optional' && idsSchema.parse(options.get(OPTION)).includes(id)),
    async choose(id, isSandboxed) {
      await options.modify(OPTION, (current) => {
        const others = idsSchema.parse(current).filter((other) => other !== id)
        return isSandboxed ? [...others, id] : others
      })
    },
  }
}
