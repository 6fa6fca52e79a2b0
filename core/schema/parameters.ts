import { z } from 'zod'
import { type Convert, compileConvert } from './convert.ts'
import { invalidParameters, missingParameters } from './errors.ts'
import { inputSchema, type JsonSchema, resolve, takesNull } from './json-schema.ts'

/** A parameter in the format of WordPress's index: JSON Schema with a boolean `required`. */
type Argument = Readonly<Record<string, unknown>> & { readonly required: boolean }

export interface Parsed {
  readonly input: Record<string, unknown>
  readonly sent: ReadonlySet<string>
}

/** The parameters of one route. */
export interface Parameters {
  /** In the format of the index. */
  readonly args: Readonly<Record<string, Argument>>
  /** JSON Schema of the input. */
  readonly schema: JsonSchema
  /**
   * Merges, converts and validates the parameters; path overrides body, body overrides query.
   *
   * @throws RestError `rest_missing_callback_param`, `rest_invalid_param`
   */
  parse(
    path: Readonly<Record<string, string>>,
    body: Readonly<Record<string, unknown>>,
    query: Readonly<Record<string, unknown>>,
  ): Parsed | Promise<Parsed>
}

interface Field {
  readonly name: string
  readonly convert: Convert
  readonly required: boolean
  readonly takesNull: boolean
}

const NOTHING: ReadonlySet<string> = new Set()

const NO_PARAMETERS: Parameters = {
  args: {},
  schema: { type: 'object', properties: {} },
  parse: (path) => ({ input: path, sent: NOTHING }),
}

/** The parameters of a route with this input, compiled on first use, because most routes of a site are never requested. */
export function createParameters(input: z.ZodObject | undefined): Parameters {
  if (!input) return NO_PARAMETERS
  let compiled: Parameters | undefined
  const compileOnce = () => {
    compiled ??= compile(input)
    return compiled
  }
  return {
    get args() {
      return compileOnce().args
    },
    get schema() {
      return compileOnce().schema
    },
    parse: (...sources) => compileOnce().parse(...sources),
  }
}

function compile(input: z.ZodObject): Parameters {
  const schema = inputSchema(input)
  const required = new Set(schema.required ?? [])
  const known = new Map<JsonSchema, Convert>()
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]): Field => {
    const own = resolve(property, schema)
    return {
      name,
      convert: compileConvert(own, schema, known),
      required: required.has(name),
      takesNull: takesNull(own, schema),
    }
  })
  const describeArguments = () =>
    Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, property]) => [
        name,
        { ...(typeof property === 'boolean' ? {} : property), required: required.has(name) },
      ]),
    )
  const takesOthers = schema.additionalProperties !== undefined
  const aliases = aliasesOf(fields)
  let args: Record<string, Argument> | undefined
  let isAsync = false

  return {
    get args() {
      args ??= describeArguments()
      return args
    },
    schema,
    parse(path, body, query) {
      const raw = takesOthers ? withoutGlobals({ ...query, ...body, ...path }) : {}
      const sent = new Set<string>()
      const missing: string[] = []
      for (const { name, convert, required, takesNull } of fields) {
        let value = pick(name, path, body, query)
        const alias = aliases.get(name)
        if (alias !== undefined) {
          delete raw[alias]
          if (value === undefined) value = pick(alias, path, body, query)
        }
        // As in WordPress, `null` for a parameter that is not nullable counts as missing.
        if (value === undefined || (value === null && !takesNull)) {
          delete raw[name]
          if (required) missing.push(name)
          continue
        }
        raw[name] = convert(value)
        sent.add(name)
      }
      if (missing.length > 0) throw missingParameters(missing)
      const parsedOf = (result: z.ZodSafeParseResult<Record<string, unknown>>): Parsed => {
        if (!result.success) throw invalidParameters(result.error.issues, raw, schema)
        return { input: result.data, sent }
      }
      if (isAsync) return input.safeParseAsync(raw).then(parsedOf)
      try {
        return parsedOf(input.safeParse(raw))
      } catch (error) {
        if (!(error instanceof z.core.$ZodAsyncError)) throw error
        isAsync = true
        return input.safeParseAsync(raw).then(parsedOf)
      }
    },
  }
}

/** Every list accepts both `perPage` and `per_page`, whichever it declares. */
function aliasesOf(fields: readonly Field[]): ReadonlyMap<string, string> {
  const pair = ['perPage', 'per_page']
  const declared = pair.filter((name) => fields.some((field) => field.name === name))
  const [name, ...both] = declared
  const alias = pair.find((each) => each !== name)
  return new Map(name !== undefined && both.length === 0 && alias !== undefined ? [[name, alias]] : [])
}

function pick(name: string, ...sources: readonly Readonly<Record<string, unknown>>[]): unknown {
  for (const source of sources) if (Object.hasOwn(source, name)) return source[name]
  return undefined
}

/** Global parameters such as `_fields` and `_locale` are not passed to schemas that accept any name. */
function withoutGlobals(raw: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !name.startsWith('_') && name !== 'rest_route'))
}
