import { z } from 'zod'
import type { RestRequest } from '../../../core/rest/types.ts'
import type { JsonSchema } from '../../../core/schema/json-schema.ts'
import type { PostType } from '../types.ts'
import { accessDenied, notFound } from './errors.ts'
import { ALL, type Context, EDIT, type Fields, readFields, VIEW_EDIT, wantedFields } from './fields.ts'
import { postTypeLabels } from './labels.ts'
import { CURIES, link } from './links.ts'
import { hasOwnRoutes, restBaseOf } from './own-routes.ts'
import { contextSchema } from './parameters.ts'
import { NAMESPACE, type RouteParts } from './parts.ts'
import { metaSchemaOf } from './posts/meta-schema.ts'
import { capabilityShape, itemShape, labelShape } from './response-shapes.ts'

const ICONS: Readonly<Record<string, string>> = {
  post: 'dashicons-admin-post',
  page: 'dashicons-admin-page',
  attachment: 'dashicons-admin-media',
}

/** Additional data that editors need. */
interface AroundType {
  readonly metaSchema: JsonSchema
  /** Titles of the theme's templates by name. */
  readonly templates: Readonly<Record<string, string>>
}

const FIELDS: Fields<PostType, AroundType> = {
  capabilities: { contexts: EDIT, schema: z.record(z.string(), z.string()), read: (type) => type.capabilities },
  description: { contexts: VIEW_EDIT, schema: z.string(), read: (type) => type.description },
  hierarchical: { contexts: VIEW_EDIT, schema: z.boolean(), read: (type) => type.hierarchical },
  has_archive: { contexts: VIEW_EDIT, schema: z.boolean(), read: (type) => type.hasArchive },
  visibility: {
    contexts: EDIT,
    schema: capabilityShape,
    read: (type) => ({ show_in_nav_menus: type.public && type.name !== 'attachment', show_ui: !hasOwnRoutes(type) }),
  },
  viewable: { contexts: EDIT, schema: z.boolean(), read: (type) => type.public },
  labels: { contexts: EDIT, schema: labelShape, read: postTypeLabels },
  name: { contexts: ALL, schema: z.string(), read: (type) => type.label },
  slug: { contexts: ALL, schema: z.string(), read: (type) => type.name },
  icon: { contexts: ALL, schema: z.string().nullable(), read: (type) => ICONS[type.name] ?? null },
  supports: {
    contexts: EDIT,
    schema: capabilityShape,
    read: ({ supports }) => Object.fromEntries(supports.map((feature) => [feature, true])),
  },
  taxonomies: { contexts: VIEW_EDIT, schema: z.array(z.string()), read: (type) => type.taxonomies },
  rest_base: { contexts: ALL, schema: z.string(), read: restBaseOf },
  rest_namespace: { contexts: ALL, schema: z.string(), read: () => NAMESPACE },
  meta_schema: { contexts: EDIT, schema: z.record(z.string(), z.unknown()), read: (_, { metaSchema }) => metaSchema },
  templates: { contexts: EDIT, schema: z.record(z.string(), z.string()), read: (_, { templates }) => templates },
}

const ITEM = itemShape('Types', FIELDS)

const listSchema = z.object({ context: contextSchema })
const itemSchema = z.object({
  type: z.string().describe('An alphanumeric identifier for the post type.'),
  context: contextSchema,
})

/** `wp/v2/types`: the types of posts that have routes. */
export function registerPostTypeRoutes({ rest, content, hooks }: RouteParts): void {
  const url = (route: string) => rest.url(`/${NAMESPACE}${route}`)
  const mayEdit = ({ can }: RestRequest, type: PostType) => can(type.capabilities.edit_posts)
  const forbidden = (request: RestRequest, code: string) =>
    accessDenied(request.user, code, 'Sorry, you are not allowed to edit posts in this post type.')

  async function prepare(type: PostType, request: RestRequest, context: Context): Promise<unknown> {
    const wants = wantedFields(request.query)
    const isEdited = context === 'edit'
    const around = {
      metaSchema: isEdited && wants('meta_schema') ? metaSchemaOf(type, request.user, { content, hooks }) : {},
      templates: isEdited && wants('templates') ? await hooks.applyFiltersAsync('theme_templates', {}, type.name) : {},
    }
    const data = await readFields(FIELDS, type, around, { context, wants })
    if (wants('_links')) {
      data._links = { collection: link(url('/types')), 'wp:items': link(url(`/${restBaseOf(type)}`)), ...CURIES }
    }
    return hooks.hasFilter('rest_prepare_post_type')
      ? hooks.applyFiltersAsync('rest_prepare_post_type', data, type, request)
      : data
  }

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/types',
    access: 'public',
    summary: 'Lists post types, keyed by name.',
    input: listSchema,
    response: z.record(z.string(), ITEM),
    async handler(request) {
      const { context } = request.input
      const response: Record<string, unknown> = {}
      for (const type of content.postTypes().values()) {
        if (restBaseOf(type) === null) continue
        if (context === 'edit' && !(await mayEdit(request, type))) continue
        response[type.name] = await prepare(type, request, context)
      }
      if (context === 'edit' && Object.keys(response).length === 0) throw forbidden(request, 'rest_cannot_view')
      return response
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/types/{type:[\\w-]+}',
    access: 'public',
    summary: 'Returns a post type.',
    input: itemSchema,
    response: ITEM,
    async handler(request) {
      const { context } = request.input
      const type = content.postTypes().get(request.params.type ?? '')
      if (!type) throw notFound('rest_type_invalid', 'Invalid post type.')
      if (restBaseOf(type) === null) throw accessDenied(request.user, 'rest_cannot_read_type', 'Cannot view post type.')
      if (context === 'edit' && !(await mayEdit(request, type))) throw forbidden(request, 'rest_forbidden_context')
      return prepare(type, request, context)
    },
  })
}
