import { z } from 'zod'

export type JsonSchema = z.core.JSONSchema.JSONSchema

/** Bounds that zod writes for integers without their own bounds. */
const SAFE = Number.MAX_SAFE_INTEGER

/** JSON Schema of the input; types that JSON Schema cannot express accept anything. */
export function inputSchema(input: z.ZodObject): JsonSchema {
  return toSchema(input, 'input')
}

/** JSON Schema of the output. */
export function outputSchema(output: z.ZodType): JsonSchema {
  return toSchema(output, 'output')
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema, path }) => tidy(jsonSchema, path.length === 0),
  })
}

/** Omits redundant keywords: bounds of safe integers, patterns of known formats, `additionalProperties` without restrictions. */
function tidy(schema: JsonSchema, isRoot: boolean): void {
  if (schema.minimum === -SAFE) delete schema.minimum
  if (schema.maximum === SAFE) delete schema.maximum
  if (schema.format !== undefined) delete schema.pattern
  if (isRoot) return
  if (typeof schema.propertyNames === 'object' && Object.keys(schema.propertyNames).join() === 'type') {
    delete schema.propertyNames
  }
  if (typeof schema.additionalProperties === 'object' && Object.keys(schema.additionalProperties).length === 0) {
    delete schema.additionalProperties
  }
}

/** Resolves `$ref` to `#` and `#/$defs/…`, which zod writes for recursive schemas. */
export function resolve(schema: z.core.JSONSchema._JSONSchema | undefined, root: JsonSchema): JsonSchema {
  if (schema === undefined || typeof schema === 'boolean') return {}
  if (schema.$ref === undefined) return schema
  if (schema.$ref === '#') return root
  const name = /^#\/\$defs\/(.+)$/.exec(schema.$ref)?.[1]
  return resolve(name === undefined ? undefined : root.$defs?.[name], root)
}

/** The types of a schema, such as `['string', 'null']`; empty if it allows any type. */
export function typesOf(schema: JsonSchema): readonly string[] {
  if (schema.type === undefined) return []
  return typeof schema.type === 'string' ? [schema.type] : schema.type
}

export function branchesOf(schema: JsonSchema): readonly z.core.JSONSchema._JSONSchema[] {
  return schema.anyOf ?? schema.oneOf ?? []
}

/** Whether it allows `null`. */
export function takesNull(schema: JsonSchema, root: JsonSchema): boolean {
  const branches = branchesOf(schema)
  if (branches.length > 0) return branches.some((branch) => takesNull(resolve(branch, root), root))
  if (schema.const !== undefined || schema.enum !== undefined) return schema.enum?.includes(null) ?? false
  const types = typesOf(schema)
  return types.length === 0 ? Object.keys(schema).length === 0 : types.includes('null')
}
