import { z } from 'zod'
import { RestError } from '../../../../core/errors.ts'
import { AFTER_COMMIT } from '../../../../core/hooks/index.ts'
import type { Undo } from '../../../../core/hooks/types.ts'
import { membersOf } from '../../../../core/hooks/value-checks.ts'
import { RestResponse } from '../../../../core/rest/response.ts'
import type { AccessRequest, RestRequest } from '../../../../core/rest/types.ts'
import { cleanComment, cleanName } from '../../sanitize.ts'
import type { Taxonomy, Term } from '../../types.ts'
import { rowId } from '../../value-shapes.ts'
import { askedMeta, metaSchema, storeMeta } from '../declared-meta.ts'
import { accessDenied, badRequest, notFound } from '../errors.ts'
import { one } from '../nouns.ts'
import { pathId } from '../parameters.ts'
import { NAMESPACE, type RouteParts } from '../parts.ts'
import { deletedShape } from '../response-shapes.ts'

const LARGEST_ID = 2_147_483_647
const TEXT = 200
const DESCRIPTION = 65_535

const fields = {
  description: z.string().max(DESCRIPTION).optional().describe('HTML description of the term.'),
  slug: z.string().max(TEXT).optional().describe('An alphanumeric identifier for the term unique to its type.'),
  meta: metaSchema,
  parent: z.int().min(0).max(LARGEST_ID).optional().describe('The parent term ID.'),
}
const name = z.string().max(TEXT).describe('HTML title for the term.')
const createSchema = z.object({ name, ...fields })
const updateSchema = z.object({ id: pathId, name: name.optional(), ...fields })
const deleteSchema = z.object({
  id: pathId,
  force: z.boolean().default(false).describe('Required to be true, as terms do not support trashing.'),
})

/** Required shape of the value filtered by `rest_pre_insert_…`. */
const preparedSchema = z.object({
  taxonomy: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
  slug: z.string().optional(),
  parentId: z.int().min(0).max(LARGEST_ID).optional(),
})

type PreparedTerm = z.output<typeof preparedSchema>

const preparedShape = membersOf<PreparedTerm>(
  { name: 'string', description: 'string', slug: 'string', parentId: rowId },
  { taxonomy: 'string' },
)

type Prepared = Omit<PreparedTerm, 'taxonomy'>
type Asked = Omit<z.output<typeof updateSchema>, 'id'>

/** The write routes of one taxonomy, WordPress's `WP_REST_Terms_Controller`. Returns a function that removes them. */
export function registerTermWrites(
  { rest, content, hooks }: RouteParts,
  taxonomy: Taxonomy,
  {
    prepare,
    response,
  }: {
    readonly prepare: (term: Term, request: RestRequest) => Promise<unknown>
    readonly response: z.ZodType
  },
): Undo {
  const path = `/${taxonomy.restBase}`
  const item = `${path}/{id:\\d+}`
  const filterName: `rest_pre_insert_${string}` = `rest_pre_insert_${taxonomy.name}`

  async function find({ params }: Pick<AccessRequest, 'params'>): Promise<Term> {
    const term = await content.terms.get(Number(params.id))
    if (term?.taxonomy !== taxonomy.name) throw notFound('rest_term_invalid', 'Term does not exist.')
    return term
  }

  /** Checks a capability for the term. @throws RestError like WordPress's permission checks */
  function may(capability: string, code: string, what: string) {
    return async (request: AccessRequest): Promise<boolean> => {
      const { id } = await find(request)
      if (await request.can(capability, id)) return true
      throw accessDenied(request.user, code, `Sorry, you are not allowed to ${what}.`)
    }
  }

  async function preparedOf(asked: Asked, request: RestRequest): Promise<Prepared> {
    const { parent } = asked
    if (parent !== undefined && !taxonomy.hierarchical) {
      throw badRequest('rest_taxonomy_not_hierarchical', 'Cannot set parent term, taxonomy is not hierarchical.')
    }
    const prepared = {
      taxonomy: taxonomy.name,
      ...(asked.name !== undefined && { name: cleanName(asked.name) }),
      ...(asked.description !== undefined && { description: cleanComment(asked.description) }),
      ...(asked.slug !== undefined && { slug: asked.slug }),
      ...(parent !== undefined && { parentId: parent }),
    }
    const { taxonomy: _, ...fields } = preparedSchema.parse(
      await hooks.applyFiltersAsync(filterName, prepared, request),
    )
    return fields
  }

  const place = { kind: 'term', subtype: taxonomy.name } as const

  async function finish(term: Term, request: RestRequest<Asked>, creating: boolean): Promise<void> {
    await hooks.limited(AFTER_COMMIT).doActionAsync(`rest_insert_${taxonomy.name}`, term, request, creating)
    const values = askedMeta(content, place, request.input.meta)
    await storeMeta(content, place, { id: term.id, values, request })
    await hooks.limited(AFTER_COMMIT).doActionAsync(`rest_after_insert_${taxonomy.name}`, term, request, creating)
  }

  const withdrawals = [
    hooks.declareFilters({ [filterName]: preparedShape }),
    rest.registerRoute(NAMESPACE, {
      method: 'POST',
      path,
      summary: `Creates ${one(taxonomy)}.`,
      async access({ user, can }) {
        // Users who can edit posts may create tags; categories, as hierarchical taxonomies, require editors.
        if (await can(taxonomy.hierarchical ? 'manage_categories' : 'edit_posts')) return true
        throw accessDenied(user, 'rest_cannot_create', 'Sorry, you are not allowed to create terms in this taxonomy.')
      },
      input: createSchema,
      response,
      async handler(request) {
        askedMeta(content, place, request.input.meta)
        const { name: asked = '', ...prepared } = await preparedOf(request.input, request)
        const term = await content.terms.insert(taxonomy.name, { name: asked, ...prepared })
        await finish(term, request, true)
        const headers = { Location: rest.url(`/${NAMESPACE}${path}/${term.id}`) }
        return new RestResponse(await prepare(term, request), { status: 201, headers })
      },
    }),
    rest.registerRoute(NAMESPACE, {
      method: ['POST', 'PUT', 'PATCH'],
      path: item,
      summary: `Updates ${one(taxonomy)}.`,
      access: may('edit_term', 'rest_cannot_update', 'edit this term'),
      input: updateSchema,
      response,
      async handler(request) {
        const { id } = await find(request)
        askedMeta(content, place, request.input.meta)
        const term = await content.terms.update(id, await preparedOf(request.input, request))
        await finish(term, request, false)
        return prepare(term, request)
      },
    }),
    rest.registerRoute(NAMESPACE, {
      method: 'DELETE',
      path: item,
      summary: `Deletes ${one(taxonomy)}.${taxonomy.name === 'category' ? ' Posts without another category are assigned to the default category.' : ''}`,
      access: may('delete_term', 'rest_cannot_delete', 'delete this term'),
      input: deleteSchema,
      response: deletedShape(response),
      async handler(request) {
        const term = await find(request)
        if (!request.input.force) {
          const message = "Terms do not support trashing. Set 'force=true' to delete."
          throw new RestError('rest_trash_not_supported', message, { status: 501 })
        }
        const response = { deleted: true, previous: await prepare(term, request) }
        await content.terms.delete(term.id)
        await hooks.limited(AFTER_COMMIT).doActionAsync(`rest_delete_${taxonomy.name}`, term, response, request)
        return response
      },
    }),
  ]
  return () => {
    for (const withdraw of withdrawals) withdraw()
  }
}
