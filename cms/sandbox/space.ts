import type { ExtensionHost } from '../../core/extensions/types.ts'
import type { JsonValue } from '../../core/options/types.ts'

/** Options that an extension may have. */
const MOST_NAMES = 1_000

/** What the options of an extension take. */
export interface Space {
  /**
   * Stores a value. It counts from now on, so that concurrent changes do not exceed the limit together.
   *
   * @throws Error if the options would take more than the extension may store
   */
  reserve<Result>(name: string, value: unknown, store: () => Promise<Result>): Promise<Result>
}

/** Whose options they are. */
interface SpaceOwner {
  readonly id: string
  readonly options: Pick<ExtensionHost['options'], 'names' | 'get'>
}

/** @param megabytes - Limit of all options together. */
export function createSpace({ id, options }: SpaceOwner, megabytes: number): Space {
  /** Sizes of stored values, which are measured once. */
  const known = new Map<string, { readonly value: JsonValue | undefined; readonly bytes: number }>()
  const reserved = new Set<{ readonly name: string; readonly bytes: number }>()

  function storedBytes(name: string): number {
    const value = options.get(name)
    const found = known.get(name)
    if (found !== undefined && found.value === value) return found.bytes
    const bytes = sizeOf(name, value)
    known.set(name, { value, bytes })
    return bytes
  }

  return {
    async reserve(name, value, store) {
      const others = options.names().filter((one) => one.startsWith(`${id}_`) && one !== name)
      const names = new Set([name, ...others, ...[...reserved].map((one) => one.name)])
      if (names.size > MOST_NAMES) throw new Error(`The extension may store at most ${MOST_NAMES} options.`)
      const entry = { name, bytes: sizeOf(name, value) }
      const sizes = [...others.map(storedBytes), ...[...reserved].map(({ bytes }) => bytes), entry.bytes]
      if (sizes.reduce((sum, size) => sum + size, 0) > megabytes * 1024 * 1024)
        throw new Error(`The extension may store at most ${megabytes} MB (permissions.storage).`)
      reserved.add(entry)
      try {
        return await store()
      } finally {
        reserved.delete(entry)
      }
    },
  }
}

const sizeOf = (name: string, value: unknown) =>
  Buffer.byteLength(name) + Buffer.byteLength(JSON.stringify(value) ?? '')
