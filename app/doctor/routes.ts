import { z } from 'zod'
import type { TextsFor } from '../../cms/text/translations.ts'
import { messageOf, RestError } from '../../core/errors.ts'
import { success } from '../../core/rest/response.ts'
import { type ResponseOf, successSchema } from '../../core/rest/response-schemas.ts'
import type { Rest } from '../../core/rest/types.ts'
import type { JoiningHost } from '../../core/types.ts'

const requestShape = z.object({
  method: z.enum(['POST', 'PUT']),
  path: z.string(),
  data: z.record(z.string(), z.unknown()).optional(),
})
const label = z.string()
const findingShape = z.object({
  check: z.string().describe('What was checked, such as `database`.'),
  level: z.enum(['error', 'warning', 'ok']),
  message: z.string().describe('What is wrong and why that matters, or what is right.'),
  fix: z.string().nullable(),
  action: z
    .union([z.object({ label, screen: z.string() }), z.object({ label, request: requestShape })])
    .nullable()
    .describe('A screen of the admin or a request to the REST API that fixes the problem.'),
})
const infoShape = z.record(z.string(), z.record(z.string(), z.string()))

/**
 * Site Health: the checks of `pentad doctor` for administrators, and what support needs to know about the site. The code of the checks
 * is loaded when it is used, because a start need not wait for it.
 */
export function registerSiteHealthRoutes(
  rest: Rest,
  host: Pick<JoiningHost, 'config' | 'database' | 'extensions' | 'options'>,
  textsFor: TextsFor,
): void {
  const { config } = host

  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/site-health',
    access: 'manage_options',
    summary: 'Checks the site and its environment, like `pentad doctor`.',
    response: successSchema(z.object({ findings: z.array(findingShape) })),
    async handler({ user }) {
      const { examineSite } = await import('./index.ts')
      return success<{ findings: ResponseOf<typeof findingShape>[] }>({
        findings: await examineSite(process.env, config, await textsFor(user)),
      })
    },
  })
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/site-health/info',
    access: 'manage_options',
    summary: 'Returns versions, configuration, and active extensions for support, without secrets.',
    response: successSchema(infoShape),
    async handler() {
      const { readSiteInfo } = await import('./site-info.ts')
      return success<ResponseOf<typeof infoShape>>(await readSiteInfo(host))
    },
  })
  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/site-health/permissions',
    access: 'manage_options',
    summary: 'Makes the files of the site folder that contain secrets readable only by their owner.',
    response: successSchema(z.null()),
    async handler() {
      const { restrictPermissions } = await import('./site-folder.ts')
      try {
        await restrictPermissions(config.siteDir)
      } catch (error) {
        const message = `The permissions could not be changed, because another user owns the files: ${messageOf(error)}`
        throw new RestError('permissions_not_changed', message, { status: 409 })
      }
      return success(null)
    },
  })
}
