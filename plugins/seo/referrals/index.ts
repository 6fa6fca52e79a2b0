import { type CompletedRequest, dayOf, type ExtensionHost } from 'pentad'
import type { DailyVisits, Visits } from '../visits/daily-visits.ts'
import { pagePath } from '../visits/page-path.ts'
import type { VisitSettings } from '../visits/settings.ts'
import { createWriteBehind, type WriteBehind } from '../write-behind.ts'
import { assistantOf } from './referrer.ts'
import { registerReferralRoute } from './routes.ts'

/** Maximum number of pending pages and assistants; further visits are counted without their page. */
const MOST_WAITING = 2000

/** Counts visitors referred by AI assistants. */
export interface Referrals {
  /** Handles each request that is not from a crawler. */
  note(request: CompletedRequest): void
  readonly writing: WriteBehind
}

export function registerReferrals(
  host: ExtensionHost,
  { settings, referrals }: { settings: () => VisitSettings; referrals: DailyVisits },
): Referrals {
  let waiting = new Map<string, Visits>()
  const writing = createWriteBehind(host, async () => {
    const taken = [...waiting.values()]
    waiting = new Map()
    await referrals.add(taken)
  })
  registerReferralRoute(host, { referrals, writing })
  const ownHost = new URL(host.site.url).host

  return {
    writing,
    note(request) {
      if (settings().referralTracking === 'off') return
      const name = assistantOf(request, ownHost)
      if (name === undefined) return
      const at = Date.now()
      const path = waiting.size < MOST_WAITING ? pagePath(request.url) : ''
      const key = `${name}\n${dayOf(at)}\n${path}`
      waiting.set(key, { name, identity: '', path, hits: (waiting.get(key)?.hits ?? 0) + 1, at })
      writing.note()
    },
  }
}
