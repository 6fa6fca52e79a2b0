import { createHash } from 'node:crypto'
import type { PwaSettings } from '../../settings.ts'
import type { Compose } from '../compose.ts'
import type { Sendings } from '../sendings.ts'

/** Sends the welcome notification. */
export type Welcome = (subscriptionId: number, endpoint: string) => Promise<void>

/** Sent once, even if the subscriber leaves and returns within a month. */
export function createWelcome(
  settings: () => PwaSettings,
  { sendings, compose, siteTitle }: { sendings: Sendings; compose: Compose; siteTitle: () => string },
): Welcome {
  return async (id, endpoint) => {
    const { pushAutomation, pushWelcome, pushWelcomeTitle, pushWelcomeMessage } = settings()
    if (pushAutomation !== 'on' || pushWelcome !== 'on') return
    const title = pushWelcomeTitle || `Welcome to ${siteTitle()}`
    const body = pushWelcomeMessage || 'Thanks for subscribing!'
    const reason = `welcome:${createHash('sha256').update(endpoint).digest('base64url')}`
    await sendings.start(await compose({ title, body, url: '/' }), { to: 'subscriptions', ids: [id] }, reason)
  }
}
