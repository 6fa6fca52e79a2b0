import { readDefinition } from './definition.ts'
import type { ExtensionSource } from './source.ts'
import type { ExtensionDefinition } from './types.ts'

/**
 * A source of extensions given as values. They count as services.
 *
 * @throws Error describing the problem of an invalid definition
 */
export function givenExtensions(definitions: readonly ExtensionDefinition[]): ExtensionSource {
  const available = definitions.map(readDefinition).map((definition) => {
    const { id, name, version, description = '', pro = false } = definition
    return {
      ...{ id, name, version, description, pro, isService: true, problem: null },
      exists: () => true,
      load: async () => ({ name: id, hash: '', entry: id, evaluate: () => definition, unload() {} }),
    }
  })
  return { list: async () => available }
}
