import { createHash } from 'node:crypto'
import type { PwaSettings } from '../../settings.ts'
import type { Broadcasts } from '../broadcasts.ts'
import type { Compose } from '../compose.ts'

/** Sends the welcome notification. */
export type Welcome = (subscriptionId: number, endpoint: string) => Promise<void>

/** Sent once, even if the subscriber leaves and returns within a month. */
export function createWelcome(
  settings: () => PwaSettings,
  { broadcasts, compose, siteTitle }: { broadcasts: Broadcasts; compose: Compose; siteTitle: () => string },
): Welcome {
  return async (id, endpoint) => {
    const { pushAutomation, pushWelcome, pushWelcomeTitle, pushWelcomeMessage } = settings()
    if (pushAutomation !== 'on' || pushWelcome !== 'on') return
    const title = pushWelcomeTitle || `Welcome to ${siteTitle()}`
    const body = pushWelcomeMessage || 'Thanks for subscribing!'
    const reason = `welcome:${createHash('sha256').update(endpoint).digest('base64url')}`
    await broadcasts.start(await compose({ title, body, url: '/' }), { to: 'subscriptions', ids: [id] }, reason)
  }
}
