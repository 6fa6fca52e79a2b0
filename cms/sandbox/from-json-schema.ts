import { z } from 'zod'

/** Schemas that are nested deeper, or have more parts, are rejected. */
const DEEPEST = 8
const MOST_PARTS = 500
/** In characters. */
const LONGEST_PATTERN = 200
const LONGEST_MATCHED = 1_000
/** Product of the counted repetitions of a pattern. */
const MOST_COPIES = 100
/** Members that the settings form reads. */
const META = ['title', 'description', 'group', 'secret', 'boundTo', 'emptyAddress'] as const

type Schema = Readonly<Record<string, unknown>>
type Engine = typeof import('re2js')

/**
 * A Zod schema of a JSON Schema that a sandboxed extension created with Zod. Patterns are matched in linear time, so that they cannot
 * block the site. What the JSON Schema does not express, the extension checks itself.
 *
 * @throws Error if the schema is too large, or not one of an object
 */
export function objectFromJsonSchema(given: unknown, engine: Engine): z.ZodObject {
  const schema = asSchema(given)
  const properties = asSchema(schema.properties ?? {})
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const counter = { parts: 0 }
  const shape = Object.entries(properties).map(([key, property]) => {
    const part = asSchema(property)
    const converted = convert(part, engine, counter, 1)
    return [key, required.has(key) || 'default' in part ? converted : converted.optional()] as const
  })
  return z.object(Object.fromEntries(shape))
}

/** Loads what `objectFromJsonSchema` needs. */
export function loadPatterns(): Promise<Engine> {
  return import('re2js')
}

function convert(schema: Schema, engine: Engine, counter: { parts: number }, depth: number): z.ZodType {
  if (++counter.parts > MOST_PARTS || depth > DEEPEST) throw new Error('The schema is too large.')
  const converted = withoutMeta(schema, (part) => convert(asSchema(part), engine, counter, depth + 1), engine)
  const meta = Object.fromEntries(META.flatMap((key) => (key in schema ? [[key, schema[key]]] : [])))
  const described = Object.keys(meta).length > 0 ? converted.meta(meta) : converted
  if (!('default' in schema)) return described
  const withDefault = described.default(() => structuredClone(schema.default))
  return Object.keys(meta).length > 0 ? withDefault.meta(meta) : withDefault
}

function withoutMeta(schema: Schema, next: (part: unknown) => z.ZodType, engine: Engine): z.ZodType {
  const branches = schema.anyOf ?? schema.oneOf
  if (Array.isArray(branches)) return z.union(branches.map(next))
  if ('const' in schema) return z.literal(literal(schema.const))
  if (Array.isArray(schema.enum)) return z.literal(schema.enum.map(literal))
  switch (schema.type) {
    case 'string':
      return text(schema, engine)
    case 'integer':
      return limited(z.int(), schema)
    case 'number':
      return limited(z.number(), schema)
    case 'boolean':
      return z.boolean()
    case 'null':
      return z.null()
    case 'array':
      return list(schema, next)
    case 'object':
      return schema.properties === undefined
        ? z.record(
            z.string(),
            typeof schema.additionalProperties === 'object' ? next(schema.additionalProperties) : anyJson(),
          )
        : object(schema, next)
    default:
      return anyJson()
  }
}

/**
 * Any JSON, such as that of `z.json()` and recursive schemas. It comes from `JSON.parse`, and `z.json()` would walk through it on the
 * thread of the site: the extension itself checks it.
 */
function anyJson(): z.ZodType {
  return z.unknown().nonoptional()
}

function object(schema: Schema, next: (part: unknown) => z.ZodType): z.ZodType {
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const shape = Object.entries(asSchema(schema.properties)).map(([key, part]) => [
    key,
    required.has(key) || 'default' in asSchema(part) ? next(part) : next(part).optional(),
  ])
  return z.object(Object.fromEntries(shape))
}

function list(schema: Schema, next: (part: unknown) => z.ZodType): z.ZodType {
  // A tuple has `prefixItems`, and `items: false`: the extension itself checks it.
  let items = z.array(typeof schema.items === 'object' ? next(schema.items) : anyJson())
  if (typeof schema.minItems === 'number') items = items.min(schema.minItems)
  if (typeof schema.maxItems === 'number') items = items.max(schema.maxItems)
  return items
}

function limited(number: z.ZodNumber, { minimum, maximum }: Schema): z.ZodNumber {
  const above = typeof minimum === 'number' ? number.min(minimum) : number
  return typeof maximum === 'number' ? above.max(maximum) : above
}

function text({ minLength, maxLength, pattern, format }: Schema, { RE2JS }: Engine): z.ZodType {
  let result = z.string()
  if (typeof minLength === 'number') result = result.min(minLength)
  if (typeof maxLength === 'number') result = result.max(maxLength)
  if (format === 'uri') result = result.refine(isWebUrl, 'It must be an http(s) URL.')
  if (format === 'email')
    result = result.refine((value) => z.email().safeParse(value).success, 'It must be an email address.')
  if (typeof pattern !== 'string' || format !== undefined) return result
  // The extension itself checks longer texts and larger patterns: they take time in proportion to both.
  if (isLarge(pattern)) return result
  try {
    const compiled = RE2JS.compile(pattern)
    return result.refine(
      (value) => value.length > LONGEST_MATCHED || compiled.matcher(value).find(),
      'It does not have the required form.',
    )
  } catch {
    // Lookaheads and back-references need more than linear time: the extension itself checks them.
    return result
  }
}

/** A repetition such as `{1,100}` is compiled as that many copies of what it repeats. */
function isLarge(pattern: string): boolean {
  const counts = pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)
  const copies = counts.reduce((product, [, least, most]) => product * Math.max(Number(least), Number(most ?? 0), 1), 1)
  return pattern.length > LONGEST_PATTERN || copies > MOST_COPIES
}

function isWebUrl(value: string): boolean {
  return /^https?:$/.test(URL.parse(value)?.protocol ?? '')
}

function literal(value: unknown): string | number | boolean | null {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null)
    return value
  throw new Error('A literal in the schema is neither a string nor a number.')
}

function asSchema(value: unknown): Schema {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value))
  throw new Error('A schema must be an object.')
}
