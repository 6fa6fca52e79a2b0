import { z } from 'zod'
import type { RestRequest } from '../../../core/rest/types.ts'
import type { Taxonomy } from '../types.ts'
import { accessDenied, notFound } from './errors.ts'
import { ALL, type Context, EDIT, type Fields, readFields, VIEW_EDIT, wantedFields } from './fields.ts'
import { taxonomyLabels } from './labels.ts'
import { CURIES, link } from './links.ts'
import { hasOwnRoutes, restBaseOf } from './own-routes.ts'
import { contextSchema } from './parameters.ts'
import { NAMESPACE, type RouteParts } from './parts.ts'
import { capabilityShape, itemShape, labelShape } from './response-shapes.ts'

const FIELDS: Fields<Taxonomy, undefined> = {
  name: { contexts: ALL, schema: z.string(), read: (taxonomy) => taxonomy.label },
  slug: { contexts: ALL, schema: z.string(), read: (taxonomy) => taxonomy.name },
  capabilities: {
    contexts: EDIT,
    schema: z.record(z.string(), z.string()),
    read: capabilitiesOf,
  },
  description: { contexts: VIEW_EDIT, schema: z.string(), read: (taxonomy) => taxonomy.description },
  labels: { contexts: EDIT, schema: labelShape, read: taxonomyLabels },
  types: { contexts: VIEW_EDIT, schema: z.array(z.string()), read: (taxonomy) => taxonomy.types },
  show_cloud: { contexts: EDIT, schema: z.boolean(), read: (taxonomy) => taxonomy.public },
  hierarchical: { contexts: VIEW_EDIT, schema: z.boolean(), read: (taxonomy) => taxonomy.hierarchical },
  rest_base: { contexts: ALL, schema: z.string(), read: restBaseOf },
  rest_namespace: { contexts: ALL, schema: z.string(), read: () => NAMESPACE },
  visibility: {
    contexts: EDIT,
    schema: capabilityShape,
    read: visibilityOf,
  },
}

function visibilityOf(taxonomy: Taxonomy) {
  const isPublic = taxonomy.public
  const isShown = !hasOwnRoutes(taxonomy)
  return {
    public: isPublic,
    publicly_queryable: isPublic,
    show_admin_column: isShown,
    show_in_nav_menus: isPublic,
    show_in_quick_edit: isShown,
    show_ui: isShown,
  }
}

function capabilitiesOf(taxonomy: Taxonomy) {
  const ofTerms = hasOwnRoutes(taxonomy) ? 'edit_theme_options' : 'manage_categories'
  return {
    manage_terms: ofTerms,
    edit_terms: ofTerms,
    delete_terms: ofTerms,
    assign_terms: hasOwnRoutes(taxonomy) ? ofTerms : 'edit_posts',
  }
}

const ITEM = itemShape('Taxonomies', FIELDS)

const listSchema = z.object({
  context: contextSchema,
  type: z.string().optional().describe('Limit results to taxonomies associated with a specific post type.'),
})
const itemSchema = z.object({
  taxonomy: z.string().describe('An alphanumeric identifier for the taxonomy.'),
  context: contextSchema,
})

/** `wp/v2/taxonomies`: the taxonomies that have routes. */
export function registerTaxonomyRoutes({ rest, content, hooks }: RouteParts): void {
  const url = (route: string) => rest.url(`/${NAMESPACE}${route}`)

  async function prepare(taxonomy: Taxonomy, request: RestRequest, context: Context): Promise<unknown> {
    const wants = wantedFields(request.query)
    const data = await readFields(FIELDS, taxonomy, undefined, { context, wants })
    if (wants('_links')) {
      const items = link(url(`/${restBaseOf(taxonomy)}`))
      data._links = { collection: link(url('/taxonomies')), 'wp:items': items, ...CURIES }
    }
    return hooks.hasFilter('rest_prepare_taxonomy')
      ? hooks.applyFiltersAsync('rest_prepare_taxonomy', data, taxonomy, request)
      : data
  }

  const mayEdit = ({ can }: RestRequest, taxonomy: Taxonomy) => can(capabilitiesOf(taxonomy).assign_terms)
  const forbidden = ({ user }: RestRequest, code: string) =>
    accessDenied(user, code, 'Sorry, you are not allowed to manage terms in this taxonomy.')

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/taxonomies',
    access: 'public',
    summary: 'Lists taxonomies, keyed by name.',
    input: listSchema,
    response: z.record(z.string(), ITEM),
    async handler(request) {
      const { context, type } = request.input
      if (context === 'edit' && !(await request.can('edit_posts'))) throw forbidden(request, 'rest_cannot_view')
      const response: Record<string, unknown> = {}
      for (const taxonomy of content.taxonomies().values()) {
        if (restBaseOf(taxonomy) === null || (type !== undefined && !taxonomy.types.includes(type))) continue
        if (context === 'edit' && !(await mayEdit(request, taxonomy))) continue
        response[taxonomy.name] = await prepare(taxonomy, request, context)
      }
      return response
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/taxonomies/{taxonomy:[\\w-]+}',
    access: 'public',
    summary: 'Returns a taxonomy.',
    input: itemSchema,
    response: ITEM,
    async handler(request) {
      const { context } = request.input
      const taxonomy = content.taxonomies().get(request.params.taxonomy ?? '')
      if (!taxonomy || restBaseOf(taxonomy) === null) throw notFound('rest_taxonomy_invalid', 'Invalid taxonomy.')
      if (context === 'edit' && !(await mayEdit(request, taxonomy))) throw forbidden(request, 'rest_forbidden_context')
      return prepare(taxonomy, request, context)
    },
  })
}
