import { createHash } from 'node:crypto'
import type { PwaSettings } from '../../settings.ts'
import type { Compose } from '../compose.ts'
import type { Sendings } from '../sendings.ts'

/** Greets a new subscriber. */
export type Welcome = (subscriptionId: number, endpoint: string) => Promise<void>

/** Once: who leaves and comes back within a month was greeted before. */
export function createWelcome(
  settings: () => PwaSettings,
  { sendings, compose, siteTitle }: { sendings: Sendings; compose: Compose; siteTitle: () => string },
): Welcome {
  return async (id, endpoint) => {
    const { pushAutomation, pushWelcome, pushWelcomeTitle, pushWelcomeMessage } = settings()
    if (pushAutomation !== 'on' || pushWelcome !== 'on') return
    const title = pushWelcomeTitle || `Welcome to ${siteTitle()}`
    const body = pushWelcomeMessage || 'Notifications are on: you will hear of news.'
    const reason = `welcome:${createHash('sha256').update(endpoint).digest('base64url')}`
    await sendings.start(await compose({ title, body, url: '/' }), { to: 'subscriptions', ids: [id] }, reason)
  }
}
