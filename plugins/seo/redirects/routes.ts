import type { ExtensionHost } from 'pentad'
import { pageAnswer, paginated, paginationSchema, RestResponse, success, successAnswer } from 'pentad'
import { z } from 'zod'
import { ruleChanges } from './rule-input.ts'
import { BATCH } from './store.ts'
import { registerTransferRoutes } from './transfer-routes.ts'
import { MATCHES, type Redirects, ruleShape, traceShape } from './types.ts'

const ruleId = z.int().min(1).describe('Id of the rule.')
const ruleIds = z.array(ruleId).min(1).max(BATCH).describe(`Ids of rules, ${BATCH} at most.`)
const { source, ...others } = ruleChanges

const switchedAnswer = successAnswer(
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
    summary: 'Redirect rules.',
    answer: pageAnswer(ruleShape),
    input: paginationSchema.extend({
      search: z.string().max(200).optional().describe('Part of a source or target.'),
      enabled: z.boolean().optional().describe('Only those that are on, or off.'),
      match: z.enum(MATCHES).optional().describe('Only those whose source is read so.'),
      orderBy: z.enum(['id', 'source', 'hits', 'lastHitAt']).default('id'),
      order: z.enum(['asc', 'desc']).default('desc'),
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
    summary: 'Makes a redirect rule.',
    answer: successAnswer(ruleShape),
    input: z.object(others).partial().extend({ source }),
    handler: async ({ input }) => new RestResponse(success(await redirects.create(input)), { status: 201 }),
  })

  registerRoute('seo/v1', {
    method: ['PUT', 'PATCH'],
    path: '/redirects',
    access,
    summary: 'Switches several redirect rules on or off; one that cannot be never stops the rest.',
    answer: switchedAnswer,
    input: z.object({ ids: ruleIds, enabled: z.boolean().describe('Whether they count.') }),
    handler: async ({ input }) => success(await redirects.switchAll(input.ids, input.enabled)),
  })

  registerRoute('seo/v1', {
    method: 'DELETE',
    path: '/redirects',
    access,
    summary: 'Deletes several redirect rules.',
    answer: successAnswer(z.object({ deleted: z.int() })),
    input: z.object({ ids: ruleIds }),
    handler: async ({ input }) => success({ deleted: (await redirects.removeAll(input.ids)).length }),
  })

  registerRoute('seo/v1', {
    method: 'GET',
    path: '/redirects/{id:\\d+}',
    access,
    summary: 'One redirect rule.',
    answer: successAnswer(ruleShape),
    input: z.object({ id: ruleId }),
    handler: async ({ input }) => success(await redirects.get(input.id)),
  })

  registerRoute('seo/v1', {
    method: ['PUT', 'PATCH'],
    path: '/redirects/{id:\\d+}',
    access,
    summary: 'Changes a redirect rule, or switches it on or off.',
    answer: successAnswer(ruleShape),
    input: z.object(ruleChanges).partial().extend({ id: ruleId }),
    handler: async ({ input: { id, ...changes } }) => success(await redirects.update(id, changes)),
  })

  registerRoute('seo/v1', {
    method: 'DELETE',
    path: '/redirects/{id:\\d+}',
    access,
    summary: 'Deletes a redirect rule.',
    answer: successAnswer(ruleShape),
    input: z.object({ id: ruleId }),
    handler: async ({ input }) => success(await redirects.remove(input.id)),
  })

  registerRoute('seo/v1', {
    method: 'POST',
    path: '/redirects/test',
    access,
    summary: 'Where an address leads: every hop, and why. Counts nothing.',
    answer: successAnswer(traceShape),
    input: z.object({ url: z.string().min(1).max(8_192).describe('Path and query, or a URL of this site.') }),
    handler: async ({ input }) => success(await redirects.trace(input.url)),
  })

  registerRoute('seo/v1', {
    method: 'POST',
    path: '/redirects/flatten',
    access,
    summary: 'Lets rules that lead to other rules lead straight to the end.',
    answer: successAnswer(z.object({ changed: z.int(), rules: z.array(ruleShape) })),
    async handler() {
      const rules = await redirects.flatten()
      return success({ changed: rules.length, rules })
    },
  })

  registerTransferRoutes(host, redirects)
}
