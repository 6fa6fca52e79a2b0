import type { Vault } from '../../../core/options/types.ts'
import type { JoiningHost } from '../../../core/types.ts'
import type { Jobs } from '../../jobs/types.ts'
import type { ChangeLog } from '../log.ts'
import { joinLoop } from '../loop.ts'
import { createDelivery } from './delivery.ts'
import { registerWebhookRoutes } from './routes.ts'
import { createWebhookStore, type WebhookStore } from './store.ts'

/** Interval in ms after which retries may be due, or endpoints of a process that crashed or was changed by another one. */
const CHECK_INTERVAL = 2000

/** Delivers the change log as signed webhooks, while the site is listening. @returns the endpoints */
export function joinWebhooks(
  host: JoiningHost,
  { changes, jobs, vault, now }: { changes: ChangeLog; jobs: Jobs; vault: Vault; now: () => number },
): WebhookStore {
  const { database, rest, config, log } = host
  const stopping = new AbortController()
  const isLocal = config.environment === 'local'
  const store = createWebhookStore(database.db, { vault, now })
  const delivery = createDelivery({ store, changes, database, log, isLocal, stopping: stopping.signal, now })

  async function deliver(): Promise<number | undefined> {
    try {
      const isUsed = await delivery.deliverDue()
      // Another process may add the first endpoint, but there is nothing to deliver before the next entry.
      return isUsed ? CHECK_INTERVAL : undefined
    } catch (error) {
      log.error({ err: error }, 'webhooks could not be delivered')
      return CHECK_INTERVAL
    }
  }

  const changed = joinLoop(host, { next: changes.next, work: deliver, idle: delivery.idle, stopping })
  registerWebhookRoutes(rest, { store, delivery, changes, isLocal, now, changed })
  jobs.schedule('prune-webhook-deliveries', '7 5 * * *', store.prune)
  return store
}
