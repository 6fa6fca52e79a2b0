import { z } from 'zod'
import type { Options } from '../../core/options/types.ts'
import { addedPermissions, type GrantedPermissions, permissionItems } from './permissions.ts'

/** Option with the permissions that an administrator consented to: texts of `permissionItems`, by extension. */
const OPTION = 'sandbox_consents'

const storedSchema = z.record(z.string(), z.json()).catch({})
const textsSchema = z.array(z.string())

/**
 * What administrators consented to. Activating an extension consents to what it asks for; a start or reload needs a consent, and a new
 * version may not ask for more.
 */
export interface Consents {
  /** @throws Error that names the additional permissions, or says that no administrator consented */
  check(id: string, asked: GrantedPermissions): void
  /** @throws Error if an administrator consented to it in a sandbox */
  checkLeaving(id: string): void
  /** Stores what an extension that has started may do. */
  store(id: string, granted: GrantedPermissions): Promise<void>
  /** For an extension that an administrator activates without a sandbox. */
  withdraw(id: string): Promise<void>
}

const TO_ALLOW = 'To allow this, deactivate it and activate it again.'

export function createConsents(options: Options): Consents {
  const read = () => storedSchema.parse(options.get(OPTION))
  return {
    check(id, asked) {
      const consented = textsSchema.safeParse(read()[id])
      // Also if the record was lost or damaged.
      if (!consented.success) throw new Error(`What it may do in a sandbox was not confirmed. ${TO_ALLOW}`)
      const added = addedPermissions(consented.data, asked)
      if (added.length > 0) throw new Error(`It now also wants to: ${added.join('; ')}. ${TO_ALLOW}`)
    },
    checkLeaving(id) {
      if (read()[id] === undefined) return
      throw new Error(`It now also wants to: run outside of the sandbox, with all that the site may do. ${TO_ALLOW}`)
    },
    async store(id, granted) {
      const texts = permissionItems(granted).map(({ text }) => text)
      if (JSON.stringify(read()[id]) === JSON.stringify(texts)) return
      await options.modify(OPTION, (current) => ({ ...storedSchema.parse(current), [id]: texts }))
    },
    async withdraw(id) {
      if (read()[id] === undefined) return
      await options.modify(OPTION, (current) => {
        const { [id]: _, ...others } = storedSchema.parse(current)
        return others
      })
    },
  }
}
