import type { ExtensionDefinition } from './types.ts'

/** Lowercase words separated by hyphens; used in routes, file names, and option names. */
const ID = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/
/** https://semver.org */
const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/

interface Rule {
  readonly key: keyof ExtensionDefinition
  holds(value: unknown): boolean
  /** The problem that the author sees if the check fails. */
  explain(value: unknown): string
}

/** In the order in which problems are reported. */
const RULES: readonly Rule[] = [
  {
    key: 'id',
    holds: (value) => typeof value === 'string' && isExtensionId(value),
    explain: (value) => `The ID ${shown(value)} must consist of at most 60 lowercase letters, digits, and hyphens.`,
  },
  {
    key: 'name',
    holds: (value) => typeof value === 'string' && value.trim() !== '',
    explain: (value) => `The name ${shown(value)} must be a string.`,
  },
  {
    key: 'version',
    holds: (value) => typeof value === 'string' && VERSION.test(value),
    explain: (value) => `The version ${shown(value)} must be a semantic version such as 1.0.0.`,
  },
  { key: 'setup', holds: (value) => typeof value === 'function', explain: () => 'There is no setup function.' },
  {
    key: 'description',
    holds: (value) => value === undefined || typeof value === 'string',
    explain: (value) => `The description ${shown(value)} must be a string.`,
  },
  {
    key: 'pro',
    holds: (value) => value === undefined || typeof value === 'boolean',
    explain: (value) => `pro is ${shown(value)}; it must be true or false.`,
  },
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
  for (const { key, holds, explain } of RULES) {
    const value = property(definition, key)
    if (!holds(value)) throw wrong(explain(value))
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
