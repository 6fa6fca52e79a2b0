import type { ExtensionHost } from 'pentad'
import type { PwaSettings } from '../settings.ts'
import type { Visitors } from '../users/visitor.ts'
import { notifyOfNewContent } from './automation/new-content.ts'
import { notifyOfStoreEvents } from './automation/store.ts'
import { createWelcome } from './automation/welcome.ts'
import { createAddIcon, createCompose } from './compose.ts'
import { createDeliveries } from './deliveries.ts'
import { createEncryption } from './encryption.ts'
import { createSender } from './sender.ts'
import './hooks.ts'
import { createBroadcasts } from './broadcasts.ts'
import { createMessages } from './messages.ts'
import { registerPersonalData } from './personal-data.ts'
import { createPushHosts } from './push-host.ts'
import { createPushServices } from './push-services.ts'
import { registerSubscriberRoutes } from './subscriber-routes.ts'
import { registerSubscriptionRoutes } from './subscription-routes.ts'
import { createSubscriptions } from './subscriptions.ts'
import { openPushTables } from './tables.ts'
import { openVapid } from './vapid.ts'

/** Push API for the other parts of the plugin. */
export interface Push {
  /** Public VAPID key, base64url. */
  publicKey(): Promise<string>
}

/** Push notifications: subscriptions, sending and automatic notifications. */
export async function registerPush(
  host: ExtensionHost,
  { settings, visitors }: { settings: () => PwaSettings; visitors: Visitors },
): Promise<Push> {
  const db = await openPushTables(host.database, host.vault)
  const hosts = createPushHosts(host.site)
  const subscriptions = createSubscriptions(host, db)
  const vapid = await openVapid(host, () => settings().pushSubject || contactOf(host))
  const deliveries = createDeliveries(db, host.vault)
  const encryption = createEncryption()
  const services = createPushServices(hosts)
  const messages = createMessages({ encryption, vapid, hosts })
  const sender = createSender({ deliveries, subscriptions, services, messages, log: host.log })
  host.onDispose(async () => {
    await sender.close()
    await services.close()
    await encryption.close()
  })
  const broadcasts = createBroadcasts(host, { deliveries, sender }, settings)

  const addIcon = createAddIcon(host, settings)
  const compose = createCompose(host, addIcon)
  const siteTitle = () => host.content.siteSettings().title
  const welcome = createWelcome(settings, { broadcasts, compose, siteTitle })
  registerSubscriptionRoutes(host, { subscriptions, hosts, visitors, welcome })
  registerSubscriberRoutes(host, { subscriptions, broadcasts, addIcon })
  notifyOfNewContent(host, settings, { broadcasts, compose })
  notifyOfStoreEvents(host, settings, { broadcasts, compose })
  host.hooks.addAction('deleted_user', (userId) => subscriptions.unbind(userId))
  registerPersonalData(host, subscriptions)

  return { publicKey: vapid.publicKey }
}

/** Default contact for push services. Apple's rejects addresses without a domain. */
function contactOf({ content, site }: ExtensionHost): string {
  const { adminEmail } = content.siteSettings()
  return /^[^\s@:]+@[^\s@:]+\.[^\s@:]+$/.test(adminEmail) ? `mailto:${adminEmail}` : siteContact(site.url)
}

function siteContact(siteUrl: string): string {
  const { protocol, hostname } = new URL(siteUrl)
  return protocol === 'https:' ? siteUrl : `mailto:admin@${hostname.includes('.') ? hostname : 'example.org'}`
}
