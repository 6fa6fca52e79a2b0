import type { ExtensionDefinition } from './types.ts'

/** Lower-case words with hyphens between them; part of routes, file names and option names. */
const ID = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/
/** https://semver.org */
const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/

export function isExtensionId(id: string): boolean {
  return id.length <= 60 && ID.test(id)
}

/**
 * Finds the definition in what an extension's file exports.
 *
 * @throws Error that says what the author has to write.
 */
export function readDefinition(exported: unknown): ExtensionDefinition {
  // A CommonJS file may export the definition itself.
  const definition = property(exported, '__esModule') ? property(exported, 'default') : exported
  const wrong = (problem: string) =>
    new Error(`${problem} Write: export default defineExtension({ id, name, version, setup })`)
  if (typeof definition !== 'object' || definition === null || Object.keys(definition).length === 0) {
    throw wrong('There is no default export.')
  }
  if (!isDefinition(definition)) {
    const { id, name, version, setup } = Object.fromEntries(Object.entries(definition))
    if (typeof id !== 'string' || !isExtensionId(id)) {
      throw wrong(`The id ${shown(id)} must be lower-case letters, digits and hyphens, at most 60.`)
    }
    if (typeof name !== 'string' || name.trim() === '') throw wrong(`The name ${shown(name)} must be a text.`)
    if (typeof version !== 'string' || !VERSION.test(version)) {
      throw wrong(`The version ${shown(version)} must be a semantic version such as 1.0.0.`)
    }
    if (typeof setup !== 'function') throw wrong('There is no setup function.')
    throw wrong('description must be a text and pro true or false.')
  }
  return definition
}

function isDefinition(value: object): value is ExtensionDefinition {
  const { id, name, version, description, pro, setup } = Object.fromEntries(Object.entries(value))
  return (
    typeof id === 'string' &&
    isExtensionId(id) &&
    typeof name === 'string' &&
    name.trim() !== '' &&
    typeof version === 'string' &&
    VERSION.test(version) &&
    (description === undefined || typeof description === 'string') &&
    (pro === undefined || typeof pro === 'boolean') &&
    typeof setup === 'function'
  )
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && key in value ? Reflect.get(value, key) : undefined
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(value)
}
