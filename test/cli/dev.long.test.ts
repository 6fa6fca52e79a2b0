import { doesNotMatch, equal, match } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeGuest } from '../sandbox/guests.ts'
import { OWN_COMMAND, pentad, startPentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

/** Below every post, it shows the text. */
const source = (text: string, permissions = '') => `
  permissions: { hooks: ['the_content'], ${permissions} },
  setup({ hooks }) { hooks.addFilter('the_content', (html) => html + '<p>${text}</p>') },`

describe('pentad dev', () => {
  it('allows a sandboxed extension what it asks for, also when a saved file asks for more', async () => {
    const folder = await writeGuest('note', 'sandbox', source('First text'))
    const site = await startPentad(null, [folder], {}, 'dev')
    try {
      const page = async () => (await fetch(`${site.url}/hello-world/`)).text()
      match(await page(), /First text/)
      await writeGuest('note', 'sandbox', source('Second text', 'storage: 1'), '', folder)
      await until(async () => (await page()).includes('Second text'))
      match(site.output(), /"permissions":\["Store up to 1 MB"\],"msg":"permissions granted"/)
      doesNotMatch(site.output(), /extension paused/)
    } finally {
      await site.end()
    }
  })

  it('uses no other site than its own', async () => {
    const folder = await writeGuest('elsewhere', 'sandbox', source('Text'))
    const { code, errors } = await pentad(temporaryFolder(), ['dev', folder])
    equal(code, 1)
    match(errors, /without --site/)
  })

  it('names itself and another port if its port is in use', async () => {
    const blocker = createServer()
    await new Promise<void>((ready) => blocker.listen(0, '127.0.0.1', ready))
    const { port } = blocker.address() as AddressInfo
    const folder = await writeGuest('blocked', 'sandbox', source('Text'))
    const { errors } = await pentad(null, ['dev', folder, '--port', String(port)])
    blocker.close()
    match(errors, new RegExp(`Port ${port} is already in use\\. Choose another: ${OWN_COMMAND} dev --port ${port + 1}`))
  })
})
