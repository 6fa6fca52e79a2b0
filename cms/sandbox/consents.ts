import { z } from 'zod'
import type { Options } from '../../core/options/types.ts'
import { addedPermissions, type GrantedPermissions, permissionItems } from './permissions.ts'

/** Option with the permissions that an administrator consented to: texts of `permissionItems`, by extension. */
const OPTION = 'sandbox_consents'

const storedSchema = z.record(z.string(), z.array(z.string())).catch({})

/** What administrators consented to. Activating an extension consents to what it asks for; a new version may not ask for more. */
export interface Consents {
  /** @throws Error that names what it now also wants */
  check(id: string, asked: GrantedPermissions): void
  /** Stores what an extension that has started may do. */
  store(id: string, granted: GrantedPermissions): Promise<void>
  /** The next activation asks again. */
  withdraw(id: string): Promise<void>
}

export function createConsents(options: Options): Consents {
  const read = () => storedSchema.parse(options.get(OPTION) ?? {})
  return {
    check(id, asked) {
      const consented = read()[id]
      const added = consented === undefined ? [] : addedPermissions(consented, asked)
      if (added.length > 0) {
        throw new Error(
          `It now also wants to: ${added.join('; ')}. To allow this, deactivate it and activate it again.`,
        )
      }
    },
    async store(id, granted) {
      const texts = permissionItems(granted).map(({ text }) => text)
      if (JSON.stringify(read()[id]) === JSON.stringify(texts)) return
      await options.modify(OPTION, (current) => ({ ...storedSchema.parse(current ?? {}), [id]: texts }))
    },
    async withdraw(id) {
      if (read()[id] === undefined) return
      await options.modify(OPTION, (current) => {
        const { [id]: _, ...others } = storedSchema.parse(current ?? {})
        return others
      })
    },
  }
}
