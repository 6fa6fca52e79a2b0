import type Koa from 'koa'
import type { FixedAddresses } from '../../core/http/router.ts'

const PATH = '/wp-cron.php'

/**
 * `POST /wp-cron.php`, for external cron services: runs everything that is due and responds when it has finished. Public; concurrent calls
 * share one run, and each schedule and job has its own lease.
 */
export function registerCron(addresses: FixedAddresses, startDue: () => Promise<void>): void {
  let running: Promise<void> | undefined

  async function run(context: Koa.Context): Promise<void> {
    running ??= startDue().finally(() => {
      running = undefined
    })
    await running
    context.set('Cache-Control', 'no-store')
    context.status = 204
  }

  addresses.get(PATH, run)
  addresses.post(PATH, run)
}
