import { type CapabilityArgs, DENIED } from '../../../core/auth/meta-capability-resolver.ts'

/**
 * Maps the capabilities for a meta field: those for editing the object, and the capability itself if the key is protected. Keys that begin
 * with an underscore are protected unless a callback decides otherwise.
 */
export async function mapMetaField(
  capability: string,
  [id, metaKey]: CapabilityArgs,
  thing: {
    readonly exists: (id: number) => Promise<boolean>
    readonly edit: (id: number) => Promise<readonly string[]>
    readonly isAllowed: (isOpen: boolean, metaKey: string, id: number, needed: readonly string[]) => boolean
  },
): Promise<readonly string[]> {
  if (typeof id !== 'number' || !(await thing.exists(id))) return DENIED
  const needed = await thing.edit(id)
  if (typeof metaKey !== 'string') return needed
  return thing.isAllowed(!metaKey.startsWith('_'), metaKey, id, needed) ? needed : [...needed, capability]
}
