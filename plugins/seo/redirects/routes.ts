import type { ExtensionHost } from 'pentad'
import { paginated, paginatedSchema, paginationSchema, RestResponse, success, successSchema } from 'pentad'
import { z } from 'zod'
import { ruleChanges } from './rule-input.ts'
import { BATCH } from './store.ts'
import { registerTransferRoutes } from './transfer-routes.ts'
import { MATCHES, type Redirects, ruleShape, traceShape } from './types.ts'

const ruleId = z.int().min(1).describe('ID of the redirect.')
const ruleIds = z.array(ruleId).min(1).max(BATCH).describe(`Redirect IDs, at most ${BATCH}.`)
const { source, ...others } = ruleChanges

const switchedResponse = successSchema(
  z.object({ changed: z.int(), errors: z.array(z.object({ id: z.int(), message: z.string() })) }),
)

/** `seo/v1/redirects…`. */
export function registerRedirectRoutes(host: ExtensionHost, redirects: Redirects): void {
  const { registerRoute } = host.rest
  const access = 'manage_options'

  registerRoute('seo/v1', {
    method: 'GET',
    path: '/redirects',
    access,
    summary: 'Lists redirects.',
    response: paginatedSchema(ruleShape),
    input: paginationSchema.extend({
      search: z
        .string()
        .max(200)
        .optional()
        .describe('Limits results to redirects whose source or target contains this text.'),
      enabled: z.boolean().optional().describe('Limits results to enabled or disabled redirects.'),
      match: z.enum(MATCHES).optional().describe('Limits results to redirects with this match type.'),
      orderBy: z.enum(['id', 'source', 'hits', 'lastHitAt']).default('id').describe('Field to sort by.'),
      order: z.enum(['asc', 'desc']).default('desc').describe('Sort order.'),
    }),
    async handler({ input }) {
      const { rules, total } = await redirects.list(input)
      return paginated(rules, total, input)
    },
  })

  registerRoute('seo/v1', {
    method: 'POST',
    path: '/redirects',
    access,
    summary: 'Creates a redirect.',
    response: successSchema(ruleShape),
    input: z.object(others).partial().extend({ source }),
    handler: async ({ input }) => new RestResponse(success(await redirects.create(input)), { status: 201 }),
  })

  registerRoute('seo/v1', {
    method: ['PUT', 'PATCH'],
    path: '/redirects',
    access,
    summary:
      'Enables or disables multiple redirects. Reports redirects that cannot be changed, and updates all others.',
    response: switchedResponse,
    input: z.object({ ids: ruleIds, enabled: z.boolean().describe('Whether the redirects are active.') }),
    handler: async ({ input }) => success(await redirects.switchAll(input.ids, input.enabled)),
  })

  registerRoute('seo/v1', {
    method: 'DELETE',
    path: '/redirects',
    access,
    summary: 'Deletes multiple redirects.',
    response: successSchema(z.object({ deleted: z.int() })),
    input: z.object({ ids: ruleIds }),
    handler: async ({ input }) => success({ deleted: (await redirects.removeAll(input.ids)).length }),
  })

  registerRoute('seo/v1', {
    method: 'GET',
    path: '/redirects/{id:\\d+}',
    access,
    summary: 'Returns a redirect.',
    response: successSchema(ruleShape),
    input: z.object({ id: ruleId }),
    handler: async ({ input }) => success(await redirects.get(input.id)),
  })

  registerRoute('seo/v1', {
    method: ['PUT', 'PATCH'],
    path: '/redirects/{id:\\d+}',
    access,
    summary: 'Updates a redirect.',
    response: successSchema(ruleShape),
    input: z.object(ruleChanges).partial().extend({ id: ruleId }),
    handler: async ({ input: { id, ...changes } }) => success(await redirects.update(id, changes)),
  })

  registerRoute('seo/v1', {
    method: 'DELETE',
    path: '/redirects/{id:\\d+}',
    access,
    summary: 'Deletes a redirect.',
    response: successSchema(ruleShape),
    input: z.object({ id: ruleId }),
    handler: async ({ input }) => success(await redirects.remove(input.id)),
  })

  registerRoute('seo/v1', {
    method: 'POST',
    path: '/redirects/test',
    access,
    summary: 'Tests a URL: returns every hop with the redirect that matched. Hits are not counted.',
    response: successSchema(traceShape),
    input: z.object({
      url: z.string().min(1).max(8_192).describe('Path with optional query string, or URL of this site.'),
    }),
    handler: async ({ input }) => success(await redirects.trace(input.url)),
  })

  registerRoute('seo/v1', {
    method: 'POST',
    path: '/redirects/flatten',
    access,
    summary: 'Flattens redirect chains so that each redirect points directly to its final target.',
    response: successSchema(z.object({ changed: z.int(), rules: z.array(ruleShape) })),
    async handler() {
      const rules = await redirects.flatten()
      return success({ changed: rules.length, rules })
    },
  })

  registerTransferRoutes(host, redirects)
}
