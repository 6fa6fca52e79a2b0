import type Koa from 'koa'
import type { FixedAddresses } from '../../core/http/router.ts'
import type { Jobs } from './types.ts'

const PATH = '/wp-cron.php'

/**
 * `POST /wp-cron.php`, for external cron services: runs everything that is due and responds when it has finished. Public; concurrent calls
 * share one run, and each schedule and job has its own lease.
 */
export function registerCron(addresses: FixedAddresses, jobs: Pick<Jobs, 'runDue'>): void {
  let running: Promise<void> | undefined

  async function run(context: Koa.Context): Promise<void> {
    running ??= jobs.runDue().finally(() => {
      running = undefined
    })
    await running
    context.set('Cache-Control', 'no-store')
    context.status = 204
  }

  addresses.get(PATH, run)
  addresses.post(PATH, run)
}
