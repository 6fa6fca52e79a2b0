import { z } from 'zod'
import type { AccessRequest, RestRequest } from '../../../core/rest/types.ts'
import { renderCallbackHook } from '../blocks/register.ts'
import type { BlockType } from '../types.ts'
import { editsSomething } from './edits-something.ts'
import { accessDenied, notFound } from './errors.ts'
import { ALL, type Context, type Field, type Fields, readFields, wantedFields } from './fields.ts'
import { link } from './links.ts'
import { contextSchema } from './parameters.ts'
import { NAMESPACE, type RouteParts } from './parts.ts'
import { itemShape } from './response-shapes.ts'

interface AroundBlockType {
  readonly isDynamic: boolean
}

type BlockTypeField = Field<BlockType, AroundBlockType>
const field = (read: BlockTypeField['read'], schema: z.ZodType = z.unknown()): BlockTypeField => ({
  ...{ contexts: ALL, schema, read },
})

/** In WordPress's order. What block types do not have here is as WordPress has it of a type without it. */
const FIELDS: Fields<BlockType, AroundBlockType> = {
  api_version: field(() => 1),
  title: field((type) => type.title),
  name: field((type) => type.name),
  is_dynamic: field((_, { isDynamic }) => isDynamic),
  description: field((type) => type.description),
  icon: field((type) => type.icon),
  attributes: field((type) => type.attributes),
  provides_context: field((type) => type.providesContext),
  uses_context: field((type) => type.usesContext),
  selectors: field(() => ({})),
  supports: field((type) => type.supports),
  category: field((type) => type.category),
  keywords: field((type) => type.keywords),
  parent: field(() => null),
  ancestor: field(() => null),
  allowed_blocks: field(() => null),
  textdomain: field(() => null),
  styles: field(() => []),
  variations: field(() => []),
  example: field(() => null),
  block_hooks: field(() => ({})),
  ...Object.fromEntries(
    ['editor_script', 'script', 'view_script', 'editor_style', 'style', 'view_style'].map((kind) => [
      `${kind}_handles`,
      field(() => []),
    ]),
  ),
  view_script_module_ids: field(() => []),
}

const ITEM = itemShape('BlockTypes', FIELDS)

const namespace = z.string().describe('Block namespace.')
const listSchema = z.object({ context: contextSchema, namespace: namespace.optional() })
const ofNamespaceSchema = z.object({ context: contextSchema, namespace })
const itemSchema = z.object({ context: contextSchema, namespace, name: z.string().describe('Block name.') })

/** `wp/v2/block-types`: the block types of core and of extensions, for users who can edit posts of any type. */
export function registerBlockTypeRoutes({ rest, content, hooks }: RouteParts): void {
  const url = (route: string) => rest.url(`/${NAMESPACE}/block-types${route}`)

  async function prepare(type: BlockType, request: RestRequest, context: Context): Promise<unknown> {
    const wants = wantedFields(request.query)
    const around = { isDynamic: hooks.hasFilter(renderCallbackHook(type.name)) }
    const data = await readFields(FIELDS, type, around, { context, wants })
    if (wants('_links')) {
      const [namespace] = type.name.split('/', 1)
      data._links = { collection: link(url('')), self: link(url(`/${type.name}`)), up: link(url(`/${namespace}`)) }
    }
    return data
  }

  async function checkPermission(request: AccessRequest): Promise<boolean> {
    if (await editsSomething(content, request)) return true
    throw accessDenied(request.user, 'rest_block_type_cannot_view', 'Sorry, you are not allowed to manage block types.')
  }

  function list(request: RestRequest, namespace: string | undefined, context: Context): Promise<unknown[]> {
    const types = Object.values(content.blockTypes()).filter(
      ({ name }) => namespace === undefined || name.startsWith(`${namespace}/`),
    )
    return Promise.all(types.map((type) => prepare(type, request, context)))
  }

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/block-types',
    access: checkPermission,
    summary: 'Lists the block types of core and of extensions.',
    input: listSchema,
    response: z.array(ITEM),
    handler: (request) => list(request, request.input.namespace, request.input.context),
  })

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/block-types/{namespace:[a-zA-Z0-9_-]+}',
    access: checkPermission,
    summary: 'Lists the block types of a namespace.',
    input: ofNamespaceSchema,
    response: z.array(ITEM),
    handler: (request) => list(request, request.input.namespace, request.input.context),
  })

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/block-types/{namespace:[a-zA-Z0-9_-]+}/{name:[a-zA-Z0-9_-]+}',
    access: checkPermission,
    summary: 'Returns a block type.',
    input: itemSchema,
    response: ITEM,
    async handler(request) {
      const { namespace, name, context } = request.input
      const types = content.blockTypes()
      const wanted = `${namespace}/${name}`
      const type = Object.hasOwn(types, wanted) ? types[wanted] : undefined
      if (!type) throw notFound('rest_block_type_invalid', 'Invalid block type.')
      return prepare(type, request, context)
    },
  })
}
