import type { Vault } from '../../../core/options/types.ts'
import type { JoiningHost } from '../../../core/types.ts'
import type { Jobs } from '../../jobs/types.ts'
import type { ChangeLog } from '../log.ts'
import { createDelivery } from './delivery.ts'
import { registerWebhookRoutes } from './routes.ts'
import { createWebhookStore } from './store.ts'

/** Delivers the change log as signed webhooks, while the site is listening. */
export function joinWebhooks(
  { database, rest, config, log, onListen, onClosing, onClosed }: JoiningHost,
  { changes, jobs, vault, now }: { changes: ChangeLog; jobs: Jobs; vault: Vault; now: () => number },
): void {
  const stopping = new AbortController()
  const isLocal = config.environment === 'local'
  const store = createWebhookStore(database.db, { vault, now })
  const delivery = createDelivery({ store, changes, jobs, log, isLocal, stopping: stopping.signal, now })
  /** Without endpoints, nothing is read. */
  let isUsed = true
  let delivering: Promise<unknown> = Promise.resolve()
  let woken = Promise.withResolvers<void>()

  async function deliver(): Promise<void> {
    if (!isUsed) return
    try {
      isUsed = (await store.list()).length > 0
      if (isUsed) await delivery.deliverDue()
    } catch (error) {
      log.error({ err: error }, 'webhooks could not be delivered')
    }
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      const added = changes.next(stopping.signal)
      await deliver()
      await Promise.race([added, woken.promise])
      woken = Promise.withResolvers()
    }
  }

  registerWebhookRoutes(rest, {
    ...{ store, delivery, changes, isLocal, now },
    changed() {
      isUsed = true
      woken.resolve()
    },
  })
  jobs.schedule('prune-webhook-deliveries', '7 5 * * *', store.prune)
  onListen(() => {
    delivering = follow()
  })
  onClosing(() => stopping.abort())
  onClosed(async () => {
    await delivering
    await delivery.idle()
  })
}
