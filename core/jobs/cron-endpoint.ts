import type Koa from 'koa'
import type { Jobs } from './types.ts'

const PATH = '/wp-cron.php'

/**
 * `POST /wp-cron.php`, for a cron service outside: runs what is due and answers when that is done. Anybody may call
 * it, so calls at the same time share one run, and each schedule and job has its own lease anyway.
 */
export function createCronEndpoint(jobs: Pick<Jobs, 'runDue'>): Koa.Middleware {
  let running: Promise<void> | undefined
  return async (context, next) => {
    if (context.path !== PATH || (context.method !== 'POST' && context.method !== 'GET')) return next()
    running ??= jobs.runDue().finally(() => {
      running = undefined
    })
    await running
    context.set('Cache-Control', 'no-store')
    context.status = 204
  }
}
