import { readDefinition } from './definition.ts'
import type { ExtensionSource } from './source.ts'
import type { ExtensionDefinition } from './types.ts'

/**
 * Extensions given to the host as values. They count as services of the product that gives them.
 *
 * @throws Error that says what is wrong with a definition
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
