import type { JsonSchema } from './schema.ts'

/** One parameter as WordPress's index writes it: JSON Schema with its own `required: boolean` at the end. */
export type Argument = Readonly<Record<string, unknown>> & { readonly required: boolean }

/** The `args` of an endpoint, from the schema of its input. */
export function describeArguments(schema: JsonSchema): Record<string, Argument> {
  const required = new Set(schema.required ?? [])
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [
      name,
      { ...(typeof property === 'boolean' ? {} : property), required: required.has(name) },
    ]),
  )
}
