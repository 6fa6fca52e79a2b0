import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import {
  type ExtensionHost,
  fromGmt,
  paginated,
  paginatedSchema,
  paginationSchema,
  RestError,
  RestResponse,
  type Settings,
  success,
  successSchema,
} from 'pentad'
import { z } from 'zod'
import { type Redirects, ruleShape, STATUSES } from '../redirects/types.ts'
import type { VisitSettings } from '../visits/settings.ts'
import type { MissingPage } from '../visits/tables.ts'
import type { WriteBehind } from '../write-behind.ts'
import { ignoredPath } from './ignored.ts'
import { likelyTargets } from './likely-targets.ts'
import type { MissingPages } from './missing-pages.ts'

const entryShape = z.object({
  ...{ id: z.int(), url: z.string().describe('Path and query string.'), hits: z.int() },
  ...{ firstSeenAt: z.string(), lastSeenAt: z.string() },
  referrer: z.string().nullable().describe('Referrer of the last hit.'),
  userAgent: z.string().nullable().describe('User agent of the last hit.'),
  suggestion: z.string().nullable().describe('Path of the page that visitors most likely wanted.'),
})

/** `seo/v1/404s`: the 404 log, and redirects created from its entries. */
export function registerMissingPageRoutes(
  host: Pick<ExtensionHost, 'rest' | 'content'>,
  parts: {
    missing: MissingPages
    writing: WriteBehind
    redirects: Pick<Redirects, 'create'>
    settings: Pick<Settings, 'updateVersion' | 'version'> & { get(): Pick<VisitSettings, 'log404Ignored'> }
  },
): void {
  const { rest } = host
  const { missing, writing, redirects, settings } = parts
  const NAMESPACE = 'seo/v1'

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/404s',
    access: 'manage_options',
    response: paginatedSchema(entryShape),
    summary: 'Lists 404 errors, most requested first, with a suggested redirect target for each.',
    input: z.object({
      ...paginationSchema.shape,
      search: z.string().max(200).default('').describe('Limits results to URLs that contain this text.'),
    }),
    async handler({ input }) {
      await writing.flush()
      const { page, perPage, search } = input
      const { entries, total } = await missing.list({ search, offset: (page - 1) * perPage, limit: perPage })
      const urls = entries.map(({ url }) => url)
      const targets = await likelyTargets(host, urls)
      const items = entries.map((entry) => ({ ...toEntry(entry), suggestion: targets.get(entry.url) ?? null }))
      return paginated(items, total, input)
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'DELETE',
    path: '/404s',
    access: 'manage_options',
    response: successSchema(z.object({ deleted: z.int() })),
    summary: 'Deletes all entries in the 404 log.',
    async handler() {
      await writing.flush()
      return success({ deleted: await missing.clear() })
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'POST',
    path: '/404s/redirect',
    access: 'manage_options',
    response: successSchema(ruleShape),
    summary: 'Creates a redirect from an entry in the 404 log and deletes the entry.',
    input: z.object({
      id: z.int().describe('ID of the log entry.'),
      target: z.string().default('').describe('Path on this site or http(s) URL; empty for 410 and 451.'),
      status: z.literal(STATUSES).default(301),
    }),
    async handler({ input: { id, target, status } }) {
      const entry = await known(id)
      // Consecutive slashes count as one; two leading slashes would name a host.
      const source = entry.url.replace(/^\/+/, '/')
      const rule = await redirects.create({ source, target, status })
      // Pending hits would restore the entry.
      await writing.flush()
      await missing.remove(entry.url)
      return new RestResponse(success(rule), { status: 201 })
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'POST',
    path: '/404s/ignore',
    access: 'manage_options',
    response: successSchema(z.object({ ignored: z.string().describe('Path that was added to the setting.') })),
    summary: 'Adds the URL of an entry to the `log404Ignored` setting and deletes the entry.',
    input: z.object({ id: z.int().describe('ID of the log entry.') }),
    async handler({ input: { id } }) {
      const entry = await known(id)
      const path = ignoredPath(entry.url)
      await ignore(path)
      await writing.flush()
      await missing.remove(entry.url)
      return success({ ignored: path })
    },
  })

  /** Adds to the current value: others may change it at the same time. */
  async function ignore(path: string): Promise<void> {
    for (;;) {
      const version = settings.version()
      const ignored = settings.get().log404Ignored
      if (ignored.includes(path)) return
      try {
        await settings.updateVersion({ log404Ignored: [...ignored, path] }, [version])
      } catch (error) {
        if (!(error instanceof RestError) || error.code !== 'settings_changed') throw error
        // Changes by other processes are read when they are on disk.
        await yieldToEventLoop()
      }
    }
  }

  async function known(id: number): Promise<MissingPage> {
    const entry = await missing.get(id)
    if (!entry) throw new RestError('404_not_found', 'Log entry not found.', { status: 404 })
    return entry
  }
}

/** An entry in API format. */
function toEntry({ id, url, hits, first_gmt, last_gmt, referrer, user_agent }: MissingPage) {
  return {
    ...{ id, url, hits },
    firstSeenAt: fromGmt(first_gmt),
    lastSeenAt: fromGmt(last_gmt),
    referrer: referrer === '' ? null : referrer,
    userAgent: user_agent === '' ? null : user_agent,
  }
}
