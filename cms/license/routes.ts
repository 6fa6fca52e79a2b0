import { z } from 'zod'
import { success } from '../../core/rest/response.ts'
import { successSchema } from '../../core/rest/response-schemas.ts'
import type { Rest } from '../../core/rest/types.ts'
import type { License } from './types.ts'

/** Characters of a license key; a real one has a few hundred. */
const KEY_LENGTH = 8192

const text = z.string().nullable()
const statusShape = z.object({ active: z.boolean(), plan: text, licensee: text, expires: text, reason: text })

/** `GET`, `PUT` and `DELETE host/v1/license`. */
export function registerLicenseRoutes(rest: Rest, license: License): void {
  const common = { path: '/license', access: 'manage_options', response: successSchema(statusShape) }
  rest.registerRoute('host/v1', {
    ...common,
    method: 'GET',
    summary: 'Returns the status of the license.',
    handler: () => success(license.status()),
  })
  rest.registerRoute('host/v1', {
    ...common,
    method: 'PUT',
    summary: 'Sets the license key. A key that is not valid does not replace an active license.',
    input: z.object({ key: z.string().min(1).max(KEY_LENGTH).describe('A license key.') }),
    handler: async ({ input }) => success(await license.replace(input.key)),
  })
  rest.registerRoute('host/v1', {
    ...common,
    method: 'DELETE',
    summary: 'Removes the license key.',
    handler: async () => success(await license.remove()),
  })
}
