import { z } from 'zod'
import { invalidParameters } from '../schema/errors.ts'
import { inputSchema } from '../schema/json-schema.ts'
import { checkBoundSecrets, readBoundSecrets } from './bound-secrets.ts'
import { isPlainObject, toJson } from './json.ts'
import type { JsonValue } from './types.ts'

/** Information about the keys of a settings schema that zod does not provide. */
export interface SettingsSchema {
  /** Whether the schema declares that key. */
  has(key: string): boolean
  /** Keys whose values are encrypted. */
  readonly secrets: ReadonlySet<string>
  /**
   * Validates and converts each supplied value separately; unknown keys are accepted unchanged.
   * @throws RestError `rest_invalid_param` naming every invalid key.
   */
  check(values: Readonly<Record<string, JsonValue>>): Record<string, JsonValue>
  /** Checks the rules of the schema across keys. @throws RestError `rest_invalid_param` */
  checkRecord(values: Readonly<Record<string, unknown>>): void
  /**
   * Checks that no stored secret would be sent to an address other than the one it was entered for (`boundTo`).
   *
   * @returns the secrets to remove because their address was removed
   * @throws RestError `rest_invalid_param` naming the secrets that must be entered again
   */
  checkSecrets(update: Parameters<typeof checkBoundSecrets>[1]): readonly string[]
  /** Titles, descriptions, groups, defaults and which keys are secret. Contains no stored values and no defaults of secrets. */
  readonly jsonSchema: Readonly<Record<string, unknown>>
}

/** Keywords of JSON Schema that contain values rather than schemas. */
const VALUE_KEYWORDS: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples'])

/**
 * Analyzes a settings schema.
 *
 * @throws Error if a key is neither optional nor has a default, or if part of a key is marked secret: only entire keys are encrypted.
 */
export function describeSettings(name: string, schema: z.ZodObject): SettingsSchema {
  const defaults = schema.safeParse({}, { jitless: true })
  if (!defaults.success) {
    const keys = defaults.error.issues.map((issue) => issue.path.join('.'))
    throw new Error(`The settings of ${name} need a default, or must be optional: ${keys.join(', ')}.`)
  }
  const document = inputSchema(schema)
  const secrets = new Set<string>()
  const properties = Object.entries(document.properties ?? {}).map(([key, described]): [string, object] => {
    const property = { ...(typeof described === 'object' ? described : {}) }
    if (property.secret === true) secrets.add(key)
    if (Object.entries(property).some(([keyword, value]) => keyword !== 'secret' && marksSecret(keyword, value))) {
      throw new Error(`The settings of ${name} mark a part of ${key} as secret. Only a whole key can be secret.`)
    }
    const value: unknown = Object.hasOwn(defaults.data, key) ? defaults.data[key] : undefined
    if (secrets.has(key) || value === undefined) delete property.default
    // zod omits the default of a key that converts its input.
    else property.default = toJson(value, key)
    return [key, property]
  })
  if (marksSecret('$defs', document.$defs)) {
    throw new Error(`The settings of ${name} mark a schema with an ID as secret. Remove the ID.`)
  }
  const keys = new Set(properties.map(([key]) => key))
  const bound = readBoundSecrets(name, Object.fromEntries(properties), secrets)
  const jsonSchema = { ...document, properties: Object.fromEntries(properties) }

  return {
    has: (key) => keys.has(key),
    secrets,
    jsonSchema,
    check(values) {
      const issues: z.core.$ZodIssue[] = []
      const converted = Object.entries(values).map(([key, value]): [string, JsonValue] => {
        const keySchema = keys.has(key) ? schema.shape[key] : undefined
        if (!keySchema) return [key, value]
        const parsed = z.safeParse(keySchema, value)
        if (parsed.success) return [key, toJson(parsed.data, key)]
        issues.push(...parsed.error.issues.map((issue) => ({ ...issue, path: [key, ...issue.path] })))
        return [key, value]
      })
      if (issues.length > 0) throw invalidParameters(issues, values, document)
      return Object.fromEntries(converted)
    },
    checkRecord(values) {
      const known = Object.fromEntries(Object.entries(values).filter(([key]) => keys.has(key)))
      const issues = schema.safeParse(known).error?.issues ?? []
      const named = issues.map((issue) => (issue.path.length > 0 ? issue : { ...issue, path: ['settings'] }))
      if (named.length > 0) throw invalidParameters(named, known, document)
    },
    checkSecrets(update) {
      const { problems, removed } = checkBoundSecrets(bound, update)
      if (problems.length > 0) throw invalidParameters(problems, {}, document)
      return removed
    },
  }
}

function marksSecret(keyword: string, value: unknown): boolean {
  if (VALUE_KEYWORDS.has(keyword) || typeof value !== 'object' || value === null) return false
  if (isPlainObject(value) && value.secret === true) return true
  return Object.entries(value).some(([inner, item]) => marksSecret(inner, item))
}
