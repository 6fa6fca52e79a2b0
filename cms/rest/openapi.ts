import { z } from 'zod'
import type { Endpoint, Registry } from '../../core/rest/registry.ts'
import type { Method } from '../../core/rest/types.ts'
import { isObject } from '../../core/schema/convert.ts'
import { type JsonSchema, outputSchema } from '../../core/schema/json-schema.ts'
import packageJson from '../../package.json' with { type: 'json' }

type Json = Record<string, unknown>

/** The members of an OpenAPI document that the host uses. */
export interface OpenApi extends Readonly<Record<string, unknown>> {
  readonly openapi: string
  readonly paths: Readonly<Record<string, unknown>>
}

/** Methods with parameters in the body; other methods have them in the query string. */
const WITH_BODY: ReadonlySet<Method> = new Set<Method>(['POST', 'PUT', 'PATCH'])

const ERROR_SCHEMA: Json = {
  type: 'object',
  description: 'Error response.',
  required: ['code', 'message', 'data'],
  properties: {
    code: { type: 'string', examples: ['rest_no_route'] },
    message: { type: 'string' },
    data: {
      type: 'object',
      required: ['status'],
      properties: {
        status: { type: 'integer' },
        params: { description: 'List of missing parameters, or invalid parameters with their errors.' },
        details: { type: 'object' },
        requestId: { type: 'string' },
      },
    },
  },
}

/** Describes all registered routes as OpenAPI 3.1, from the schemas that validate their input. */
export function describeOpenApi(parts: { registry: Registry; title: string; root: string }): OpenApi {
  const schemas: Json = { Error: ERROR_SCHEMA }
  const paths: Record<string, Json> = {}
  const ids = new Set<string>()
  const { registry, title, root } = parts
  for (const { pattern, endpoints } of registry.entries()) {
    for (const endpoint of endpoints) {
      if (!registry.exists(endpoint)) continue
      for (const method of endpoint.methods) {
        const path = paths[pattern.template] ?? {}
        paths[pattern.template] = path
        // Two paths that differ only in the patterns of their captures have the same template; the first one is described.
        path[method.toLowerCase()] ??= describeOperation(endpoint, method, uniqueId(endpoint, method, ids), schemas)
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: title || 'Pentad', version: packageJson.version },
    servers: [{ url: root }],
    tags: registry.namespaces().map((name) => ({ name })),
    paths,
    components: {
      schemas,
      responses: {
        Error: {
          description: 'An error response.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
      securitySchemes: {
        applicationPassword: { type: 'http', scheme: 'basic', description: 'Username and application password.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'pentad_session',
          description: 'Browser session; over HTTPS `__Host-pentad_session`.',
        },
        nonce: { type: 'apiKey', in: 'header', name: 'X-WP-Nonce', description: 'Required with a session cookie.' },
      },
    },
  }
}

function describeOperation(endpoint: Endpoint, method: Method, operationId: string, schemas: Json): Json {
  const { route, namespace, parameters, pattern } = endpoint
  const schema = hoist(parameters.schema, operationId, schemas)
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    schema: typeof property === 'boolean' ? {} : property,
    required: schema.required?.includes(name) ?? false,
  }))
  const own = properties.filter(({ name }) => !pattern.names.includes(name))
  const hasBody = WITH_BODY.has(method) && route.body !== 'stream'
  return {
    operationId,
    ...(route.summary === undefined ? {} : { summary: route.summary }),
    ...(namespace === '' ? {} : { tags: [namespace] }),
    security: [...(route.access === 'public' ? [{}] : []), { applicationPassword: [] }, { session: [], nonce: [] }],
    parameters: [
      ...pattern.names.map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: properties.find((property) => property.name === name)?.schema ?? { type: 'string' },
      })),
      ...(hasBody ? [] : own.map((property) => ({ ...property, in: 'query', ...listStyle(property.schema) }))),
    ],
    ...(hasBody && own.length > 0 ? { requestBody: describeBody(own, route.upload !== undefined) } : {}),
    ...(route.body === 'stream' && method !== 'GET'
      ? { requestBody: { content: { 'application/octet-stream': { schema: {} } } } }
      : {}),
    responses: {
      '2XX': describeSuccess(endpoint, operationId, schemas),
      default: { $ref: '#/components/responses/Error' },
    },
  }
}

/** The response that the route declares. `_envelope` and `_fields` change it at the client's request and are not described. */
function describeSuccess({ route }: Endpoint, operationId: string, schemas: Json): Json {
  const { response, responseTypes = [] } = route
  const description = 'Success.'
  if (response instanceof z.ZodUndefined) return { description }
  const content = Object.fromEntries(
    responseTypes.map((type) => [type, isText(type) ? { schema: { type: 'string' } } : {}]),
  )
  if (response === undefined && responseTypes.length > 0) return { description, content }
  // Wrapped in an object, so that a response schema with an `id` becomes a reference to its component.
  const { properties } = hoist(
    outputSchema(z.object({ response: response ?? z.unknown() })),
    `${operationId}.response`,
    schemas,
  )
  return { description, content: { 'application/json': { schema: properties?.response ?? {} }, ...content } }
}

/** Other media types are bytes, which OpenAPI 3.1 describes without a schema. */
function isText(mediaType: string): boolean {
  return /^text\/|[/+]xml$/.test(mediaType)
}

function describeBody(
  own: readonly { name: string; schema: JsonSchema; required: boolean }[],
  isUpload: boolean,
): Json {
  const required = own.filter((property) => property.required).map(({ name }) => name)
  const schema = {
    type: 'object',
    properties: Object.fromEntries(own.map((property) => [property.name, property.schema])),
    ...(required.length > 0 ? { required } : {}),
  }
  if (!isUpload) return { required: required.length > 0, content: { 'application/json': { schema } } }
  const file = { type: 'string', contentMediaType: 'application/octet-stream' }
  const form = { ...schema, properties: { file, ...schema.properties } }
  return {
    required: true,
    content: { 'multipart/form-data': { schema: form }, 'application/octet-stream': { schema: {} } },
  }
}

/** WordPress reads a list in a query string as comma-separated text. */
function listStyle(schema: JsonSchema): Json {
  return schema.type === 'array' ? { style: 'form', explode: false } : {}
}

/** `get_wp_v2_posts_id`, with a number appended if it is taken. */
function uniqueId({ pattern }: Endpoint, method: Method, taken: Set<string>): string {
  const words = pattern.template.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const base = [method.toLowerCase(), ...words].join('_')
  let id = base
  for (let count = 2; taken.has(id); count++) id = `${base}_${count}`
  taken.add(id)
  return id
}

const ANY_JSON: Json = { description: 'Any JSON value.' }

/**
 * Whether a schema is a union that contains itself, as `z.json()` does. Client generators turn it into a self-referential type alias,
 * which TypeScript rejects.
 */
function isAnyJson(name: string, definition: JsonSchema): boolean {
  return definition.anyOf !== undefined && JSON.stringify(definition.anyOf).includes(`"$ref":"#/$defs/${name}"`)
}

/**
 * Moves the definitions that a schema refers to into the document's components. A schema with an `id`
 * (`z.meta({ id: 'Posts' })`) becomes the component of that name, which is one type in a client. Without an id, or if another schema
 * has the name, the name starts with the operation's.
 */
function hoist(schema: JsonSchema, operationId: string, schemas: Json): JsonSchema {
  const text = JSON.stringify(schema)
  if (!text.includes('"$ref":')) return schema
  const { $defs = {} } = schema
  const names = new Map<string, string>()
  for (const name of Object.keys($defs)) names.set(name, componentName(name))

  function componentName(name: string): string {
    if (name.startsWith('__')) return `${operationId}.${name}`
    const known = schemas[name]
    return known === undefined || JSON.stringify(known) === JSON.stringify(moved($defs[name]))
      ? name
      : `${operationId}.${name}`
  }

  function moved(part: unknown): unknown {
    return JSON.parse(JSON.stringify(part), (key, value) => {
      if (key !== '$ref' || typeof value !== 'string') return value
      const name = value.replace('#/$defs/', '')
      return `#/components/schemas/${value === '#' ? operationId : (names.get(name) ?? name)}`
    })
  }

  const { $defs: _, $schema: __, ...root } = schema
  for (const [name, definition] of Object.entries($defs)) {
    schemas[names.get(name) ?? name] = isAnyJson(name, definition) ? ANY_JSON : moved(definition)
  }
  const rewritten = moved(root)
  if (text.includes('"$ref":"#"')) schemas[operationId] = rewritten
  return isObject(rewritten) ? rewritten : {}
}
