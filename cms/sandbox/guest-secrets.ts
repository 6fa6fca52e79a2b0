import { z } from 'zod'
import type { ExtensionHost } from '../../core/extensions/types.ts'
import { isSealed } from '../../core/options/secrets.ts'
import { hostsOf } from './fetch.ts'
import type { GrantedPermissions } from './permissions.ts'

const propertiesSchema = z.object({
  properties: z
    .record(
      z.string(),
      z.looseObject({ secret: z.unknown(), boundTo: z.array(z.string()).optional().catch(undefined) }).partial(),
    )
    .default({}),
})
const storedSchema = z.record(z.string(), z.custom<Parameters<typeof isSealed>[0]>()).catch({})

/** Which settings of an extension are secret, and where their values may be sent. */
export interface GuestSecrets {
  /** Reads the marks. @param schema - JSON Schema of the settings, from the guest */
  mark(schema: unknown): void
  keys(): string[]
  has(key: string): boolean
  /** @throws Error if the secret does not belong to the host */
  checkHost(key: string, host: string, values: Readonly<Record<string, unknown>>): void
}

export function createGuestSecrets(host: ExtensionHost, { fetch }: GrantedPermissions): GuestSecrets {
  /** The settings with the address that each secret belongs to. */
  let marked: ReadonlyMap<string, readonly string[]> = new Map()
  const stored = () => storedSchema.parse(host.options.get(`${host.id}_settings`))
  // What an administrator entered as a secret stays one, even if a new version of the extension no longer marks it.
  const has = (key: string) => marked.has(key) || isSealed(stored()[key])

  /** The one host that a secret is for: that of the URL that it is bound to, or the only one of the manifest. */
  function hostOf(key: string, values: Readonly<Record<string, unknown>>): string | undefined {
    const bound = marked.get(key) ?? []
    const hosts = bound.length > 0 ? bound.flatMap((name) => hostsOf(values[name])) : (fetch?.hosts ?? [])
    const [only] = new Set(hosts)
    return new Set(hosts).size === 1 && !only?.startsWith('*') ? only : undefined
  }

  return {
    mark(schema) {
      const properties = Object.entries(propertiesSchema.parse(schema).properties)
      marked = new Map(
        properties.flatMap(([key, { secret, boundTo = [] }]) => (secret === true ? [[key, boundTo]] : [])),
      )
    },
    keys: () => [...new Set([...marked.keys(), ...Object.keys(stored()).filter(has)])],
    has,
    checkHost(key, to, values) {
      if (hostOf(key, values) === to) return
      throw new Error(
        `The secret ${key} cannot be sent to ${to}: a secret belongs to the host of the URL that it is bound to (boundTo), or, if permissions.fetch.hosts lists exactly one host, to that host.`,
      )
    },
  }
}
