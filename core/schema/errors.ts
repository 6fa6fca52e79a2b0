import type { z } from 'zod'
import { RestError } from '../errors.ts'
import { isObject } from './convert.ts'
import { describeIssue, type Problem } from './describe-issue.ts'
import { branchesOf, type JsonSchema, resolve } from './json-schema.ts'

export function missingParameters(names: readonly string[]): RestError {
  return new RestError('rest_missing_callback_param', `Missing parameter(s): ${names.join(', ')}`, {
    status: 400,
    params: names,
  })
}

/** WordPress's `rest_invalid_param`: the first problem of each parameter. */
export function invalidParameters(
  issues: readonly z.core.$ZodIssue[],
  input: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
): RestError {
  const problems = new Map<string, Problem>()
  for (const issue of issues) {
    const name = nameOf(issue)
    if (problems.has(name)) continue
    problems.set(
      name,
      describeIssue(issue, {
        label: labelOf(issue.path, name),
        schema: schemaAt(schema, issue.path),
        value: valueAt(input, issue.path),
      }),
    )
  }
  return errorOf(problems)
}

/** The error for a parameter with a problem that its schema does not express. */
export function invalidParameter(name: string, message: string, code = 'rest_invalid_param'): RestError {
  return errorOf(new Map([[name, { code, message, data: null }]]))
}

function errorOf(problems: ReadonlyMap<string, Problem>): RestError {
  const names = [...problems.keys()]
  return new RestError('rest_invalid_param', `Invalid parameter(s): ${names.join(', ')}`, {
    status: 400,
    params: Object.fromEntries(names.map((name) => [name, problems.get(name)?.message])),
    details: Object.fromEntries(problems),
  })
}

function nameOf(issue: z.core.$ZodIssue): string {
  const [first] = issue.path
  if (first !== undefined) return String(first)
  return issue.code === 'unrecognized_keys' ? (issue.keys[0] ?? 'request') : 'request'
}

/** Path within a parameter in WordPress's notation: `ids[0]`, `settings[a][b]`. */
function labelOf(path: readonly PropertyKey[], name: string): string {
  return path.length === 0 ? name : path.map((key, index) => (index === 0 ? String(key) : `[${String(key)}]`)).join('')
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const key of path) {
    if (Array.isArray(value)) value = value[Number(key)]
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[String(key)]
    else return undefined
  }
  return value
}

/** The part of a schema at a path; `null` if a union makes it ambiguous. */
function schemaAt(root: JsonSchema, path: readonly PropertyKey[]): JsonSchema | null {
  let schema = root
  for (const key of path) {
    const items = Array.isArray(schema.items) ? undefined : schema.items
    const next =
      typeof key === 'number'
        ? (schema.prefixItems?.[key] ?? items)
        : (schema.properties?.[String(key)] ?? schema.additionalProperties)
    if (next === undefined) return null
    schema = resolve(next, root)
    if (branchesOf(schema).length > 0) return null
  }
  return schema
}
