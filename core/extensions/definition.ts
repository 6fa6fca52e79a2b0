import type { ExtensionDefinition } from './types.ts'

/** Lowercase words separated by hyphens; used in routes, file names, and option names. */
const ID = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/
/** https://semver.org */
const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/

type Rule = readonly [key: keyof ExtensionDefinition, holds: (value: unknown) => boolean, problem: string]

const isText = (value: unknown) => typeof value === 'string'
const isFunction = (value: unknown) => typeof value === 'function'
const optional = (holds: (value: unknown) => boolean) => (value: unknown) => value === undefined || holds(value)

/** In the order in which problems are reported; `%s` is the value. */
const RULES: readonly Rule[] = [
  [
    'id',
    (value) => typeof value === 'string' && isExtensionId(value),
    'The ID %s must consist of at most 60 lowercase letters, digits, and hyphens.',
  ],
  ['name', (value) => typeof value === 'string' && value.trim() !== '', 'The name %s must be a string.'],
  [
    'version',
    (value) => typeof value === 'string' && VERSION.test(value),
    'The version %s must be a semantic version such as 1.0.0.',
  ],
  ['setup', isFunction, 'There is no setup function.'],
  ['uninstall', optional(isFunction), 'uninstall is %s; it must be a function.'],
  ['description', optional(isText), 'The description %s must be a string.'],
  ['pro', optional((value) => typeof value === 'boolean'), 'pro is %s; it must be true or false.'],
]

/** Whether a string is a valid extension ID: lowercase words separated by hyphens, at most 60 characters. */
export function isExtensionId(id: string): boolean {
  return id.length <= 60 && ID.test(id)
}

/**
 * Reads the definition from the exports of an extension's entry file.
 *
 * @throws Error describing the problem and the expected code
 */
export function readDefinition(exported: unknown): ExtensionDefinition {
  // A CommonJS file can export the definition itself.
  const definition = property(exported, '__esModule') ? property(exported, 'default') : exported
  if (typeof definition !== 'object' || definition === null || Object.keys(definition).length === 0) {
    throw wrong('There is no default export.')
  }
  checkRules(definition)
  return definition
}

function checkRules(definition: object): asserts definition is ExtensionDefinition {
  for (const [key, holds, problem] of RULES) {
    const value = property(definition, key)
    if (!holds(value)) throw wrong(problem.replace('%s', () => shown(value)))
  }
}

function wrong(problem: string): Error {
  return new Error(`${problem} Write: export default defineExtension({ id, name, version, setup })`)
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && key in value ? Reflect.get(value, key) : undefined
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(value)
}
