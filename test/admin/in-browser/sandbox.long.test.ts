import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { writeGuest } from '../../sandbox/guests.ts'
import { type AdminSite, expectAccessible, looksGood, openAdminSite } from '../admin-site.ts'

const HELPERS = `
function count(numbers) {
  for (;;) numbers.length
}
async function collect() {
  await 0
  return 'x'.repeat(2 ** 29)
}
`

describe('The screen of a sandboxed extension', () => {
  let admin: AdminSite
  let page: Page
  let server: Server
  let address: string

  before(async () => {
    server = createServer(({ url }, response) => void (url !== '/slow' && response.end('from the server')))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    address = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const guest = await writeGuest(
      'guest',
      'sandbox',
      `permissions: {
        hooks: ['the_content', 'save_post'], routes: ['public'], storage: 1, mail: { perHour: 10 },
        fetch: { hosts: ['127.0.0.1', '*.example.org'] },
      },
      setup({ hooks, rest, fetch, options }) {
        hooks.addFilter('the_content', (html) => html + '<p>guest</p>')
        hooks.addAction('save_post', () => {})
        const get = (path, handler) =>
          rest.registerRoute('guest/v1', { method: 'GET', path, access: 'public', handler })
        get('/loop', () => count([1]))
        get('/memory', () => collect())
        get('/wait', () => fetch('http://${address}/slow'))
        get('/fetch', async () => {
          const text = await (await fetch('http://${address}/')).text()
          for (const url of ['https://tracker.example.com/collect', 'https://10.0.0.1/'])
            await fetch(url).catch(() => {})
          return text
        })
      }`,
      HELPERS,
    )
    const dependent = await writeGuest(
      'dependent',
      'optional',
      `requires: { extensions: { guest: '>=1.0.0' } }, permissions: { hooks: ['the_content'] }, setup() {}`,
    )
    admin = await openAdminSite({
      extensions: [guest, dependent],
      isTrustedAddress: ({ hostname }) => hostname === '127.0.0.1',
    })
    page = await admin.signIn('administrator', '/wp-admin/extensions/guest')
    admin.allow(/^(?:500|503) /)
  })
  after(async () => {
    await admin.close()
    server.close()
  })

  const call = (path: string) => admin.site.get(`/wp-json/guest/v1/${path}`)

  const sandbox = () => page.getByRole('region', { name: 'Sandbox' })
  const rowOf = (permission: string) => sandbox().getByRole('row').filter({ hasText: permission })
  const NEVER = 'Requested, not used since the site started'

  it('shows its costs, when it last used each permission, and the hosts that it sent requests to', async () => {
    await admin.site.get('/hello-world/')
    expect(await (await call('fetch')).json()).to.equal('from the server')
    await page.reload()
    await page.getByText('Sandboxed', { exact: true }).waitFor()
    await sandbox()
      .getByText(/^Calls since the site started: [1-9]\d*\. 95% .* at most \d+\.\d ms .* memory: [\d.]+ MB\.$/)
      .waitFor()
    for (const used of ['the_content', 'access: public', '127.0.0.1'])
      await rowOf(used)
        .getByText(/20\d\d/)
        .waitFor()
    for (const unused of ['Store up to 1 MB', '10 emails an hour', '*.example.org'])
      await rowOf(unused).getByText(NEVER).waitFor()
    await sandbox().getByText(`${address}, 1 request`).waitFor()
    await sandbox().getByText('fetch: GET tracker.example.com is not allowed.').waitFor()
    await sandbox().getByText('fetch: GET 10.0.0.1 is not allowed.').waitFor()
    await looksGood(page, 'sandbox')
  })

  it('shows the line that a terminated call ran, and on demand its stack trace', async () => {
    await call('loop')
    await call('memory')
    await page.reload()
    await sandbox().getByText('GET /guest/v1/loop – CPU time limit exceeded').waitFor()
    await sandbox().getByText('GET /guest/v1/memory – Memory limit exceeded').waitFor()
    await sandbox()
      .getByText(/^at collect \(.*index\.js:\d+:\d+\)$/)
      .waitFor()
    const line = sandbox()
      .locator('summary')
      .filter({ hasText: /^at count \(.*index\.js:\d+:\d+\)$/ })
    const stack = sandbox().getByText(/at count .*at <anonymous>|at count .*at handler/s)
    expect(await stack.isVisible()).to.equal(false)
    await line.focus()
    await page.keyboard.press('Enter')
    await stack.waitFor()
    await looksGood(page, 'sandbox-kills')
  })

  it('shows why it was paused, on its screen and on that of an extension that requires it', async () => {
    await call('wait')
    await call('loop')
    await page.reload()
    await page.getByText('Its sandbox terminated 3 calls within a minute').waitFor()
    await sandbox().getByText('CPU time limit exceeded').first().waitFor()
    await page.goto(`${admin.site.url}/wp-admin/extensions/dependent`)
    await page.getByText('It requires the extension "guest" >=1.0.0, which is not active.').waitFor()
    await looksGood(page, 'sandbox-dependent')
  })

  it('runs an extension that allows both in a sandbox or without one', async () => {
    await admin.site.host.extensions.activate('guest')
    await page.reload()
    await page.getByText('Active', { exact: true }).waitFor()
    const choice = page.getByRole('switch', { name: 'Run in a sandbox' })
    await choice.focus()
    await page.keyboard.press('Space')
    await page.getByText('Sandboxed', { exact: true }).waitFor()
    await rowOf('the_content').getByText(NEVER).waitFor()
    expect(await choice.isChecked()).to.equal(true)
    await page.keyboard.press('Space')
    await page.getByText('Sandboxed', { exact: true }).waitFor({ state: 'detached' })
    await expectAccessible(page)
  })
})
