import { z } from 'zod'
import { RestError } from '../../core/errors.ts'
import { success } from '../../core/rest/response.ts'
import { paginatedSchema, successSchema } from '../../core/rest/response-schemas.ts'
import type { AccessRequest, Rest } from '../../core/rest/types.ts'
import { paginated, paginationSchema } from '../rest/pagination.ts'
import type { PrivacyRequests } from './requests.ts'
import type { PolicySection, PrivacyRequestType } from './types.ts'

const type = z.enum(['export', 'erase'])
const requestShape = z.object({
  id: z.int(),
  type,
  email: z.string(),
  state: z.enum(['pending', 'confirmed', 'completed']).describe('`pending`: the person has not confirmed it.'),
  created: z.string(),
  ...{ confirmed: z.string().nullable(), completed: z.string().nullable() },
  report: z
    .object({ removed: z.number(), retained: z.number(), messages: z.array(z.string()) })
    .nullable()
    .describe('The result of a completed erasure.'),
})
const sentShape = requestShape.extend({
  storedAsFile: z
    .boolean()
    .describe("Whether the email was stored in the site's mail folder, because no SMTP server is configured."),
})
const groupShape = z.object({
  ...{ id: z.string(), label: z.string() },
  items: z.array(z.object({ id: z.string(), data: z.array(z.object({ name: z.string(), value: z.string() })) })),
})
const idInput = z.object({ id: z.int().min(1).max(2_147_483_647) })

/** `host/v1/privacy`: requests for personal data, and the suggested text of the privacy policy. */
export function registerPrivacyRoutes(
  rest: Rest,
  { requests, policyText }: { requests: PrivacyRequests; policyText: () => Promise<readonly PolicySection[]> },
): void {
  const mayHandle = (request: Pick<AccessRequest, 'can'>, kind: PrivacyRequestType) =>
    request.can(kind === 'export' ? 'export_others_personal_data' : 'erase_others_personal_data')
  const mayHandleAny = async (request: AccessRequest) =>
    (await mayHandle(request, 'export')) || (await mayHandle(request, 'erase'))

  /** @throws RestError 403 `rest_forbidden` */
  async function require(request: Pick<AccessRequest, 'can'>, kind: PrivacyRequestType): Promise<void> {
    if (await mayHandle(request, kind)) return
    throw new RestError('rest_forbidden', 'Sorry, you are not allowed to handle requests of this type.', {
      status: 403,
    })
  }

  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/privacy/requests',
    access: mayHandleAny,
    summary: 'Lists personal data requests, newest first.',
    input: paginationSchema.extend({ type }),
    response: paginatedSchema(requestShape),
    async handler(request) {
      const { input } = request
      await require(request, input.type)
      const { page, perPage } = input
      const { items, total } = await requests.query({ type: input.type, limit: perPage, offset: (page - 1) * perPage })
      return paginated(items, total, input)
    },
  })
  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/privacy/requests',
    access: mayHandleAny,
    summary: 'Records a personal data request, and asks the person to confirm it by email.',
    input: z.object({
      type,
      email: z.email().max(100),
      isConfirmed: z
        .boolean()
        .default(false)
        .describe('`true` if you have verified the request yourself; no confirmation email is sent.'),
    }),
    response: successSchema(sentShape),
    async handler(request) {
      await require(request, request.input.type)
      return success(await requests.create(request.input))
    },
  })

  const actions = {
    resend: 'Sends a new confirmation link, which replaces the previous one.',
    complete: 'Completes a confirmed request: erases the data, or emails a download link that is valid for three days.',
  } as const
  for (const name of ['resend', 'complete'] as const) {
    rest.registerRoute('host/v1', {
      method: 'POST',
      path: `/privacy/requests/{id}/${name}`,
      access: mayHandleAny,
      summary: actions[name],
      input: idInput,
      response: successSchema(sentShape),
      async handler(request) {
        const { id } = request.input
        await require(request, (await requests.get(id)).type)
        return success(await requests[name](id))
      },
    })
  }
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/privacy/requests/{id}/data',
    access: 'export_others_personal_data',
    summary: 'Returns the personal data of a confirmed request.',
    input: idInput,
    response: successSchema(z.object({ email: z.string(), groups: z.array(groupShape) })),
    async handler({ input: { id } }) {
      const { email, state } = await requests.get(id)
      if (state === 'pending') {
        throw new RestError('privacy_request_state', 'The person has not confirmed the request.', { status: 409 })
      }
      return success({ email, groups: await requests.dataOf(email) })
    },
  })
  rest.registerRoute('host/v1', {
    method: 'DELETE',
    path: '/privacy/requests/{id}',
    access: mayHandleAny,
    summary: 'Deletes a request. The personal data is not deleted.',
    input: idInput,
    response: successSchema(z.null()),
    async handler(request) {
      const { id } = request.input
      await require(request, (await requests.get(id)).type)
      await requests.delete(id)
      return success(null)
    },
  })
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/privacy/policy-text',
    access: 'manage_privacy_options',
    summary: 'Returns suggested text for the privacy policy, based on what the site and its extensions store.',
    response: successSchema(
      z.object({ sections: z.array(z.object({ title: z.string(), paragraphs: z.array(z.string()) })) }),
    ),
    handler: async () => success({ sections: await policyText() }),
  })
}
