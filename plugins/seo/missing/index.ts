import type { CompletedRequest, ExtensionHost, Settings } from 'pentad'
import type { Redirects } from '../redirects/types.ts'
import type { VisitSettings } from '../visits/settings.ts'
import type { VisitDatabase } from '../visits/tables.ts'
import { createWriteBehind } from '../write-behind.ts'
import { createIgnored } from './ignored.ts'
import { toMissingAddress } from './missing-address.ts'
import { createMissingPages, type MissingPages } from './missing-pages.ts'
import { registerMissingPageRoutes } from './routes.ts'

/** Maximum length of stored request headers. */
const LONGEST_REFERRER = 500
const LONGEST_USER_AGENT = 300

/** Paths of the host itself: a 404 there is a client error, not a broken link. */
const OWN = /^\/(?:wp-admin(?:\/|$)|wp-login\.php|wp-cron\.php)/

/** The 404 log, and the handler that records requests. */
export function registerMissingPages(
  host: ExtensionHost,
  parts: {
    settings: Pick<Settings, 'updateVersion' | 'version'> & { get(): VisitSettings }
    db: VisitDatabase
    redirects: Pick<Redirects, 'create'>
  },
): { missing: MissingPages; note(request: CompletedRequest): void } {
  const { settings, db, redirects } = parts
  const missing = createMissingPages(db, () => settings.get().log404MaxEntries)
  const writing = createWriteBehind(host, () => missing.write())
  const isIgnored = createIgnored(() => settings.get().log404Ignored)
  registerMissingPageRoutes(host, { missing, writing, redirects, settings })
  const restPath = new URL(host.rest.url('/')).pathname

  function note({ method, url, status, headers }: CompletedRequest): void {
    if (status !== 404 || (method !== 'GET' && method !== 'HEAD') || settings.get().log404 === 'off') return
    if (url.startsWith(restPath) || url.includes('rest_route=') || OWN.test(url)) return
    const address = toMissingAddress(url)
    if (address === undefined || isIgnored(address)) return
    missing.add({
      url: address,
      referrer: (headers.referer ?? '').slice(0, LONGEST_REFERRER),
      userAgent: (headers['user-agent'] ?? '').slice(0, LONGEST_USER_AGENT),
    })
    writing.note()
  }

  return { missing, note }
}
