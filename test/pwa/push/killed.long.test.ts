import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect } from 'chai'
import { createSite } from '../../../app/create-site.ts'
import { serve } from '../../../app/serve.ts'
import { CHEAPEST } from '../../../core/auth/index.ts'
import type { ConfigInput } from '../../../core/config.ts'
import type { NotificationResult } from '../../../plugins/pwa/push/types.ts'
import { runSql } from '../../backup/site-content.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { startPentad } from '../../support/pentad.ts'
import { temporaryFolder } from '../../support/site-folder.ts'
import { until } from '../../support/until.ts'
import { ROOT } from './push-site.ts'
import { createSubscriber } from './subscriber.ts'

const SUBSCRIBERS = 60
/** Messages that are answered before the push service falls silent. */
const ANSWERED = 10

onEachDatabase('A process that is killed while it sends', (databaseUrl) => {
  const messages: { path: string; key: string }[] = []
  const held: ServerResponse[] = []
  let isSilent = true

  const server = createServer((request, response) => {
    const key = /k=([\w-]+)/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    messages.push({ path: request.url ?? '', key })
    request.resume()
    if (isSilent && messages.length > ANSWERED) held.push(response)
    else response.writeHead(201).end()
  })

  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  it('sends to no subscriber twice, and the next process counts all deliveries', async () => {
    const url = await databaseUrl()
    const site = { siteDir: temporaryFolder(), port: 0, logLevel: 'silent' as const }
    await writeFile(join(site.siteDir, 'config.json'), JSON.stringify({ databaseUrl: url }))
    const account = await prepare(site)
    const running = await startPentad(site.siteDir)
    const call = (path: string, body: unknown, more: Readonly<Record<string, string>> = {}) =>
      fetch(`${running.url}${ROOT}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...more },
        body: JSON.stringify(body),
      })
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The push service has no port.')
    for (let at = 0; at < SUBSCRIBERS; at++) {
      const { subscription } = createSubscriber(`http://127.0.0.1:${address.port}/${at}`)
      expect((await call('/push-subscription/add', subscription)).status).to.equal(201)
    }
    const body = { notificationData: { notificationTitle: 'Hello' } }
    const sending = call('/push-subscribers/send', body, { Authorization: account }).catch(() => {})
    await until(() => held.length >= 4, { seconds: 60 })
    await running.end('SIGKILL')
    await sending
    const before = messages.length
    for (const response of held) response.destroy()
    isSilent = false

    // As if the time had passed for which a process that is alive keeps its work to itself.
    const place = { dir: site.siteDir, databaseUrl: url }
    await runSql(place, "update leases set expires = 0 where holder <> ''")
    await runSql(place, "update pwa_deliveries set due = 0 where state = 'claimed'")
    const results: NotificationResult[] = []
    const next = await serve(site, {
      opened: (host) => void host.hooks.addAction('pwa_notification_sent', (result) => void results.push(result)),
    })
    await until(() => results.length > 0, { seconds: 60 })
    await next.close()

    const [{ sent, failed, total } = { sent: 0, failed: 0, total: 0 }] = results
    expect({ total, ended: sent + failed }).to.deep.equal({ total: SUBSCRIBERS, ended: SUBSCRIBERS })
    const paths = messages.map(({ path }) => path)
    expect(new Set(paths).size, 'each got it once at most').to.equal(paths.length)
    expect(failed, 'who was asked without an answer').to.be.at.least(held.length)
    expect(sent, 'all that were left').to.be.at.least(messages.length - before)
    expect(messages.length).to.be.above(before)
    expect(new Set(messages.map(({ key }) => key)).size, 'the same VAPID key').to.equal(1)
  })
})

/** Makes the site. @returns how an administrator signs in */
async function prepare(site: ConfigInput): Promise<string> {
  const host = await createSite(site, { passwordCost: CHEAPEST })
  const user = await host.auth.users.create({ login: 'ops', email: 'ops@example.org', roles: ['administrator'] })
  const { password } = await host.auth.applicationPasswords.create(user.id, 'test')
  await host.close()
  return `Basic ${btoa(`ops:${password}`)}`
}
