import { join } from 'node:path'
import { z } from 'zod'
import type { Site } from '../../app/create-site.ts'
import { readOptions } from '../../app/doctor/site-folder.ts'
import { loadConfig } from '../../core/config.ts'
import { callRoute } from '../call-route.ts'
import { withHost } from '../with-host.ts'

const statesSchema = z.object({ host_extensions: z.record(z.string(), z.object({ state: z.string() })).default({}) })

/**
 * Opens the site with this version, which applies its migrations and those of services and extensions, and checks that it works. Does not
 * listen, and runs no jobs, so that a rollback discards nothing that was sent or published.
 *
 * @throws Error if the site cannot be opened, or a check fails
 */
export async function applyUpgrade(): Promise<void> {
  const options = readOptions(join(loadConfig().siteDir, 'options.json'))
  const before = statesSchema.parse(options).host_extensions
  await withHost(async (site) => {
    await callRoute(site, 'GET', '/host/v1/health')
    await callRoute(site, 'GET', '/host/v1/ready')
    requireExtensions(site, (id) => before[id]?.state !== 'paused')
    const { status } = await site.front.render('/')
    if (status >= 500) throw new Error(`The front page responds with ${status}.`)
  })
}

/** @throws Error if an extension that ran before does not run */
function requireExtensions(site: Site, ranBefore: (id: string) => boolean): void {
  const failed = site.extensions.list().filter(({ id, reason }) => reason !== null && ranBefore(id))
  if (failed.length === 0) return
  const reasons = failed.map(({ id, reason }) => `  ${id}: ${reason}`).join('\n')
  throw new Error(
    `Extensions do not run with this version. Update them, or deactivate them before the upgrade:\n${reasons}`,
  )
}
