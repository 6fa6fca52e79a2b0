import { z } from 'zod'
import { RestError } from '../../core/errors.ts'
import type { AccessRequest, Method, Rest } from '../../core/rest/types.ts'
import { listResponse } from '../content/routes/lists.ts'
import { abilityNotFound, cannotExecute } from './errors.ts'
import type { Abilities, Ability, NewAbilityCategory } from './types.ts'

const NAMESPACE = 'wp-abilities/v1'
const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const paging = {
  page: z.int().min(1).default(1).describe('Current page of the collection.'),
  per_page: z.int().min(1).max(100).default(50).describe('Maximum number of items to be returned in result set.'),
}
const ability = {
  namespace: z.string().describe('Namespace of the ability, such as content.'),
  name: z.string().describe('Name of the ability in its namespace, such as read-post.'),
}

const links = (relations: readonly string[]) =>
  z.object(Object.fromEntries(relations.map((name) => [name, z.array(z.object({ href: z.string() }))])))

const abilityShape = z
  .object({
    ...{ name: z.string(), label: z.string(), description: z.string(), category: z.string() },
    input_schema: z.record(z.string(), z.unknown()).describe('JSON Schema.'),
    output_schema: z.record(z.string(), z.unknown()).describe('JSON Schema.'),
    meta: z.object({
      annotations: z.object({ readonly: z.boolean(), destructive: z.boolean(), idempotent: z.boolean() }),
      show_in_rest: z.literal(true),
    }),
    _links: links(['self', 'collection', 'wp:action-run']),
  })
  .meta({ id: 'Abilities' })

const categoryShape = z
  .object({
    ...{ slug: z.string(), label: z.string(), description: z.string(), meta: z.object({}) },
    _links: links(['self', 'collection', 'abilities']),
  })
  .meta({ id: 'AbilityCategories' })

/** `wp-abilities/v1` as WordPress 6.9 has it; lists show a caller what that caller may use. */
export function registerAbilityRoutes({ registerRoute, url }: Rest, abilities: Abilities): void {
  const at = (path: string) => url(`/${NAMESPACE}${path}`)

  function show({ name, label, description, category, inputSchema, outputSchema, ...about }: Ability) {
    const { readonly, destructive, idempotent } = about
    return {
      ...{ name, label, description, category, input_schema: inputSchema, output_schema: outputSchema },
      meta: { annotations: { readonly, destructive, idempotent }, show_in_rest: true },
      _links: {
        self: [{ href: at(`/abilities/${name}`) }],
        collection: [{ href: at('/abilities') }],
        'wp:action-run': [{ href: at(`/abilities/${name}/run`) }],
      },
    }
  }

  function showCategory({ slug, label, description }: NewAbilityCategory) {
    return {
      ...{ slug, label, description, meta: {} },
      _links: {
        self: [{ href: at(`/categories/${slug}`) }],
        collection: [{ href: at('/categories') }],
        abilities: [{ href: at(`/abilities?category=${slug}`) }],
      },
    }
  }

  registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/abilities',
    access: 'read',
    response: z.array(abilityShape),
    summary: 'Lists the abilities that the caller may run.',
    input: z.object({
      ...paging,
      category: z.string().optional().describe('Limit results to abilities in specific ability category.'),
      namespace: z.string().optional().describe('Limit results to abilities in a specific namespace.'),
    }),
    async handler(request) {
      const { page, per_page: perPage, category, namespace } = request.input
      const found = (await abilities.list(request.user)).filter(
        (one) =>
          (category === undefined || one.category === category) &&
          (namespace === undefined || one.name.startsWith(`${namespace}/`)),
      )
      const items = found.slice((page - 1) * perPage, page * perPage).map(show)
      return listResponse(request, { url: at('/abilities'), items, total: found.length, page, perPage })
    },
  })

  registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/abilities/{namespace}/{name}',
    access: 'read',
    summary: 'Returns an ability.',
    response: abilityShape,
    input: z.object(ability),
    async handler({ input, user }) {
      const found = (await abilities.list(user)).find(({ name }) => name === `${input.namespace}/${input.name}`)
      if (!found) throw abilityNotFound()
      return show(found)
    },
  })

  registerRoute(NAMESPACE, {
    method: METHODS,
    path: '/abilities/{namespace}/{name}/run',
    access: mayRun,
    summary:
      'Runs an ability: GET for read-only abilities, DELETE for destructive and idempotent ones, POST for all others.',
    response: z.record(z.string(), z.unknown()).describe('Result of the ability, as described by its `output_schema`.'),
    input: z.object({
      ...ability,
      input: z.unknown().optional().describe('Input for the ability; in a query string, pass it as input[name]=value.'),
    }),
    handler: ({ input, user }) => abilities.run(`${input.namespace}/${input.name}`, input.input, user),
  })

  /** As in WordPress: existence, then method, then permission. Input is validated later. */
  async function mayRun({ params, method, user }: AccessRequest): Promise<boolean> {
    const found = abilities.get(`${params.namespace}/${params.name}`)
    if (!found) throw abilityNotFound()
    const expected = methodOf(found)
    if (method !== expected) throw wrongMethod(expected)
    const own = await abilities.list(user)
    if (!own.includes(found)) throw cannotExecute(user)
    return true
  }

  registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/categories',
    access: 'read',
    summary: 'Lists the ability categories.',
    response: z.array(categoryShape),
    input: z.object(paging),
    handler(request) {
      const { page, per_page: perPage } = request.input
      const all = abilities.categories()
      const items = all.slice((page - 1) * perPage, page * perPage).map(showCategory)
      return listResponse(request, { url: at('/categories'), items, total: all.length, page, perPage })
    },
  })

  registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/categories/{slug}',
    access: 'read',
    summary: 'Returns an ability category.',
    response: categoryShape,
    input: z.object({ slug: z.string() }),
    handler({ input }) {
      const found = abilities.categories().find(({ slug }) => slug === input.slug)
      if (!found) throw new RestError('rest_ability_category_not_found', 'Ability category not found.', { status: 404 })
      return showCategory(found)
    },
  })
}

/** WordPress's `WP_REST_Abilities_V1_Run_Controller::validate_request_method`. */
function methodOf({ readonly, destructive, idempotent }: Ability): 'GET' | 'POST' | 'DELETE' {
  if (readonly) return 'GET'
  return destructive && idempotent ? 'DELETE' : 'POST'
}

/** WordPress's error messages for wrong methods. */
const ASKED_OF = {
  GET: 'Read-only abilities',
  POST: 'Abilities that perform updates',
  DELETE: 'Abilities that perform destructive actions',
}

function wrongMethod(expected: keyof typeof ASKED_OF): RestError {
  const message = `${ASKED_OF[expected]} require ${expected} method.`
  return new RestError('rest_ability_invalid_method', message, { status: 405 }, { Allow: expected })
}
