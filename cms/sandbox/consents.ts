import { z } from 'zod'
import type { Options } from '../../core/options/types.ts'
import { addedPermissions, type GrantedPermissions, permissionItems } from './permissions.ts'

/**
 * Option with the permissions that an administrator consented to, by extension: grants of `permissionItems` as soon as it has started
 * with them; until then, the texts that were shown.
 */
const OPTION = 'sandbox_consents'
/** What an extension without a consent asks for, also if it asks for no permissions. */
const ENTER = 'run in a sandbox'
/** What an extension asks for whose new version is no longer sandboxed. */
const LEAVE = 'run outside of the sandbox, with all of the site’s privileges'
const TO_ALLOW = 'To allow this, reload it in the admin, or deactivate it and activate it again.'

const storedSchema = z.record(z.string(), z.json()).catch({})
const grantsSchema = z.array(z.string())

/**
 * What administrators consented to. Activating an extension consents to what it asks for; a start or reload needs a consent, and a new
 * version may not ask for more.
 */
export interface Consents {
  /** What the extension asks for beyond what was consented to; everything if there is no consent. */
  added(id: string, asked: GrantedPermissions): readonly string[]
  /** What an extension without a sandbox asks for: to leave the sandbox that it was consented to in, if it was. */
  addedWithoutSandbox(id: string): readonly string[]
  /** @throws Error that names what was not consented to. @param added - From the functions above. */
  check(added: readonly string[]): void
  /** Consents to more. @returns a function that restores the former consent */
  add(id: string, added: readonly string[]): Promise<() => Promise<void>>
  /** Stores what an extension that has started may do. */
  store(id: string, granted: GrantedPermissions): Promise<void>
  /** For an extension that an administrator activates without a sandbox. */
  withdraw(id: string): Promise<void>
}

export function createConsents(options: Options): Consents {
  const stored = (id: string) => storedSchema.parse(options.get(OPTION))[id]
  /** `undefined` also if the record was lost or damaged. */
  const read = (id: string) => grantsSchema.safeParse(stored(id)).data

  async function write(id: string, grants: readonly string[] | undefined): Promise<void> {
    if (JSON.stringify(stored(id)) === JSON.stringify(grants)) return
    await options.modify(OPTION, (current) => {
      const { [id]: _, ...others } = storedSchema.parse(current)
      return grants === undefined ? others : { ...others, [id]: [...grants] }
    })
  }

  return {
    added(id, asked) {
      const consented = read(id)
      return consented ? addedPermissions(consented, asked) : [ENTER, ...addedPermissions([], asked)]
    },
    // Also if the record is damaged.
    addedWithoutSandbox: (id) => (stored(id) === undefined ? [] : [LEAVE]),
    check(added) {
      const beginning = added.includes(ENTER)
        ? 'No administrator has allowed it to:'
        : 'It requires additional permissions:'
      if (added.length > 0) throw new Error(`${beginning} ${added.join('; ')}. ${TO_ALLOW}`)
    },
    async add(id, added) {
      const before = read(id)
      if (added.length === 0) return async () => {}
      await write(id, added.includes(LEAVE) ? undefined : [...(before ?? []), ...added])
      return () => write(id, before)
    },
    store: (id, granted) =>
      write(
        id,
        permissionItems(granted).map(({ grant }) => grant),
      ),
    withdraw: (id) => write(id, undefined),
  }
}
