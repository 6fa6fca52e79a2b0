import { branchesOf, type JsonSchema, resolve, typesOf } from './json-schema.ts'

export type Convert = (value: unknown) => unknown

/** PHP's `is_numeric`: surrounding white space and exponents are allowed. */
const NUMERIC = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*$/

const keep: Convert = (value) => value

/**
 * Compiles the conversions of WordPress's `rest_sanitize_value_from_schema` for a schema: `"5"` is an integer, `"true"`, `"1"` and `1` are
 * true, `"a,b"` is a list, an empty string or list is an empty object. Values that cannot be converted stay unchanged and fail validation.
 */
export function compileConvert(
  schema: JsonSchema,
  root: JsonSchema,
  known: Map<JsonSchema, Convert> = new Map(),
): Convert {
  const done = known.get(schema)
  if (done) return done
  // A schema may contain itself: references to a schema still being compiled get a forwarding function.
  let built: Convert = keep
  known.set(schema, (value) => built(value))
  built = build(schema, (part) => compileConvert(resolve(part, root), root, known), root)
  known.set(schema, built)
  return built
}

type Compile = (schema: JsonSchema | boolean | undefined) => Convert

function build(schema: JsonSchema, compile: Compile, root: JsonSchema): Convert {
  if (schema.$ref !== undefined) return compile(schema)
  if (schema.allOf) {
    const steps = schema.allOf.map(compile)
    return (value) => steps.reduce((current, step) => step(current), value)
  }
  const branches = branchesOf(schema)
  if (branches.length > 0) {
    const choices = branches.map((branch) => {
      const own = resolve(branch, root)
      return { fits: (value: unknown) => fits(own, value, root), convert: compile(branch) }
    })
    return (value) => choices.find((choice) => choice.fits(value))?.convert(value) ?? value
  }
  const types = typesOf(schema)
  const [first] = types
  if (first === undefined) return keep
  if (types.length === 1) return toType(first, schema, compile)
  const choices = types.map((type) => ({ type, convert: toType(type, schema, compile) }))
  return (value) => {
    if (value === '' && types.includes('string')) return value
    return choices.find((choice) => takes(choice.type, value))?.convert(value) ?? value
  }
}

function toType(type: string, schema: JsonSchema, compile: Compile): Convert {
  switch (type) {
    case 'integer':
      return (value) => (takes('integer', value) ? Number(value) : value)
    case 'number':
      return (value) => (takes('number', value) ? Number(value) : value)
    case 'boolean':
      return toBoolean
    case 'array':
      return toArray(schema, compile)
    case 'object':
      return toObject(schema, compile)
    case 'null':
      return (value) => (value === '' ? null : value)
    default:
      return keep
  }
}

/** The values of WordPress's `rest_is_boolean`. */
function toBoolean(value: unknown): unknown {
  const text = typeof value === 'string' ? value.toLowerCase() : value
  if (text === 'true' || text === '1' || text === 1) return true
  if (text === 'false' || text === '0' || text === 0) return false
  return value
}

/** Like `rest_sanitize_array`: a string is a list separated by commas or white space. */
function toArray(schema: JsonSchema, compile: Compile): Convert {
  const fixed = schema.prefixItems?.map(compile) ?? []
  const rest = compile(Array.isArray(schema.items) ? undefined : schema.items)
  return (value) => {
    let list = value
    if (typeof value === 'string') list = value.split(/[\s,]+/).filter((item) => item !== '')
    else if (typeof value === 'number' || typeof value === 'boolean') list = [value]
    return Array.isArray(list) ? list.map((item, index) => (fixed[index] ?? rest)(item)) : value
  }
}

/** Like `rest_sanitize_object`: an empty string and an empty list are empty objects. */
function toObject(schema: JsonSchema, compile: Compile): Convert {
  const properties = Object.entries(schema.properties ?? {}).map(([name, own]) => ({ name, convert: compile(own) }))
  const declared = new Set(properties.map(({ name }) => name))
  const others = typeof schema.additionalProperties === 'object' ? compile(schema.additionalProperties) : null
  return (value) => {
    if (value === '' || (Array.isArray(value) && value.length === 0)) return {}
    if (!isObject(value)) return value
    const converted: Record<string, unknown> = { ...value }
    for (const { name, convert } of properties) {
      if (Object.hasOwn(converted, name)) converted[name] = convert(converted[name])
    }
    if (others) {
      for (const name of Object.keys(converted)) if (!declared.has(name)) converted[name] = others(converted[name])
    }
    return converted
  }
}

/** Whether a value is of a type, or can be converted to it. */
export function takes(type: string, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return takes('number', value) && Number.isInteger(Number(value))
    case 'number':
      return (
        typeof value === 'number' ||
        (typeof value === 'string' && NUMERIC.test(value) && Number.isFinite(Number(value)))
      )
    case 'boolean':
      return typeof toBoolean(value) === 'boolean'
    case 'array':
      return Array.isArray(value) || typeof value === 'string' || typeof value === 'number'
    case 'object':
      return isObject(value) || value === '' || (Array.isArray(value) && value.length === 0)
    case 'null':
      return value === null || value === ''
    case 'string':
      return typeof value === 'string'
    default:
      return true
  }
}

/** Whether a value belongs to a branch of a union, by its type and, for objects, by constant members. */
function fits(schema: JsonSchema, value: unknown, root: JsonSchema): boolean {
  const branches = branchesOf(schema)
  if (branches.length > 0) return branches.some((branch) => fits(resolve(branch, root), value, root))
  const types = typesOf(schema)
  if (types.length > 0 && !types.some((type) => takes(type, value))) return false
  if (schema.const !== undefined) return String(schema.const) === String(value)
  if (schema.enum) return schema.enum.some((option) => String(option) === String(value))
  if (!isObject(value)) return true
  return Object.entries(schema.properties ?? {}).every(([name, property]) => {
    const expected = resolve(property, root).const
    return expected === undefined || expected === value[name]
  })
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
