import { z } from 'zod'
import type { RestRequest } from '../../../core/rest/types.ts'
import { editsSomething } from './edits-something.ts'
import { accessDenied, notFound } from './errors.ts'
import { ALL, type Context, EDIT, type Fields, readFields, VIEW_EDIT, wantedFields } from './fields.ts'
import { CURIES, link } from './links.ts'
import { contextSchema } from './parameters.ts'
import { NAMESPACE, type RouteParts } from './parts.ts'
import { itemShape } from './response-shapes.ts'

interface Status {
  readonly name: string
  readonly slug: string
  readonly private: boolean
  readonly protected: boolean
  readonly public: boolean
  readonly queryable: boolean
  readonly showInList: boolean
  readonly dateFloating: boolean
}

const status = (slug: string, name: string, own: Partial<Status> = {}): Status => ({
  name,
  slug,
  private: false,
  protected: false,
  public: false,
  queryable: false,
  showInList: true,
  dateFloating: false,
  ...own,
})

/** WordPress's, in its order. */
const STATUSES: ReadonlyMap<string, Status> = new Map(
  [
    status('publish', 'Published', { public: true, queryable: true }),
    status('future', 'Scheduled', { protected: true }),
    status('draft', 'Draft', { protected: true, dateFloating: true }),
    status('pending', 'Pending', { protected: true, dateFloating: true }),
    status('private', 'Private', { private: true }),
    status('trash', 'Trash', { showInList: false }),
  ].map((one) => [one.slug, one]),
)

const FIELDS: Fields<Status, undefined> = {
  name: { contexts: ALL, schema: z.string(), read: (one) => one.name },
  private: { contexts: EDIT, schema: z.boolean(), read: (one) => one.private },
  protected: { contexts: EDIT, schema: z.boolean(), read: (one) => one.protected },
  public: { contexts: VIEW_EDIT, schema: z.boolean(), read: (one) => one.public },
  queryable: { contexts: VIEW_EDIT, schema: z.boolean(), read: (one) => one.queryable },
  show_in_list: { contexts: EDIT, schema: z.boolean(), read: (one) => one.showInList },
  slug: { contexts: ALL, schema: z.string(), read: (one) => one.slug },
  date_floating: { contexts: VIEW_EDIT, schema: z.boolean(), read: (one) => one.dateFloating },
}

const ITEM = itemShape('Statuses', FIELDS)

const listSchema = z.object({ context: contextSchema })
const itemSchema = z.object({
  status: z.string().describe('An alphanumeric identifier for the status.'),
  context: contextSchema,
})

/** `wp/v2/statuses`: visitors see `publish` only; users who can edit posts see all. */
export function registerStatusRoutes({ rest, content, hooks }: RouteParts): void {
  const url = (route: string) => rest.url(`/${NAMESPACE}${route}`)

  async function prepare(one: Status, request: RestRequest, context: Context): Promise<unknown> {
    const wants = wantedFields(request.query)
    const data = await readFields(FIELDS, one, undefined, { context, wants })
    if (wants('_links')) {
      const archive = one.slug === 'publish' ? url('/posts') : `${url('/posts')}?status=${one.slug}`
      data._links = { archives: link(archive), ...CURIES }
    }
    return hooks.hasFilter('rest_prepare_status')
      ? hooks.applyFiltersAsync('rest_prepare_status', data, one, request)
      : data
  }

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/statuses',
    access: 'public',
    summary: 'Lists post statuses, keyed by name.',
    input: listSchema,
    response: z.record(z.string(), ITEM),
    async handler(request) {
      const { context } = request.input
      const editor = await editsSomething(content, request)
      if (context === 'edit' && !editor) {
        throw accessDenied(request.user, 'rest_cannot_view', 'Sorry, you are not allowed to manage post statuses.')
      }
      const response: Record<string, unknown> = {}
      for (const one of STATUSES.values()) {
        if (editor || one.public) response[one.slug] = await prepare(one, request, context)
      }
      return response
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/statuses/{status:[\\w-]+}',
    access: 'public',
    summary: 'Returns a post status.',
    input: itemSchema,
    response: ITEM,
    async handler(request) {
      const one = STATUSES.get(request.params.status ?? '')
      if (!one) throw notFound('rest_status_invalid', 'Invalid status.')
      if (!one.public && !(await editsSomething(content, request))) {
        throw accessDenied(request.user, 'rest_cannot_read_status', 'Cannot view status.')
      }
      return prepare(one, request, request.input.context)
    },
  })
}
