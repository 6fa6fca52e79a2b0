import { type ExtensionHost, fromGmt, paginated, paginationSchema, RestError, RestResponse, success } from 'pentad'
import { z } from 'zod'
import { type Redirects, STATUSES } from '../redirects/types.ts'
import type { MissingPage } from '../visits/tables.ts'
import type { WriteBehind } from '../write-behind.ts'
import type { MissingPages } from './missing-pages.ts'

/** `seo/v1/404s`: what was asked for and not found, and making a redirect of it. */
export function registerMissingPageRoutes(
  { rest }: Pick<ExtensionHost, 'rest'>,
  parts: { missing: MissingPages; writing: WriteBehind; redirects: Pick<Redirects, 'create'> },
): void {
  const { missing, writing, redirects } = parts
  const NAMESPACE = 'seo/v1'

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/404s',
    access: 'manage_options',
    summary: 'Missing addresses, those with the most hits first.',
    input: z.object({
      ...paginationSchema.shape,
      search: z.string().max(200).default('').describe('Part of the address.'),
    }),
    async handler({ input }) {
      await writing.flush()
      const { page, perPage, search } = input
      const { entries, total } = await missing.list({ search, offset: (page - 1) * perPage, limit: perPage })
      return paginated(entries.map(toEntry), total, input)
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'DELETE',
    path: '/404s',
    access: 'manage_options',
    summary: 'Empties the log of missing addresses.',
    async handler() {
      await writing.flush()
      return success({ deleted: await missing.clear() })
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'POST',
    path: '/404s/redirect',
    access: 'manage_options',
    summary: 'Makes a redirect of a missing address and takes it off the log.',
    input: z.object({
      id: z.int().describe('Of the entry in the log.'),
      target: z.string().default('').describe('Path of this site or URL; none for 410 and 451.'),
      status: z.literal(STATUSES).default(301),
    }),
    async handler({ input: { id, target, status } }) {
      const entry = await missing.get(id)
      if (!entry) throw new RestError('404_not_found', 'There is no such entry in the log.', { status: 404 })
      // Slashes in a row count as one; two in front would name a host.
      const source = entry.url.replace(/^\/+/, '/')
      const rule = await redirects.create({ source, target, status })
      // Hits that wait would bring it back.
      await writing.flush()
      await missing.remove(entry.url)
      return new RestResponse(success(rule), { status: 201 })
    },
  })
}

/** An entry as the outside sees it (contract 5). */
function toEntry({ id, url, hits, first_gmt, last_gmt, referrer, user_agent }: MissingPage) {
  return {
    ...{ id, url, hits },
    firstSeenAt: fromGmt(first_gmt),
    lastSeenAt: fromGmt(last_gmt),
    referrer: referrer === '' ? null : referrer,
    userAgent: user_agent === '' ? null : user_agent,
  }
}
