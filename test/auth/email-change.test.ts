import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import request from 'supertest'
import { onEachDatabase } from '../support/databases.ts'
import { PASSWORD, useOwnSite } from '../wp-v2/own-site.ts'

/** Names of emails begin with the time, which may be set back, then their number. */
const byOrder = (one: string, other: string) => (one.split('-')[1] ?? '').localeCompare(other.split('-')[1] ?? '')

onEachDatabase('changing the own email address', (databaseUrl) => {
  const site = useOwnSite(databaseUrl)
  before(async () => {
    await site.signIn('ann', 'author')
    await site.signIn('ben', 'author')
  })

  const emailOf = async (login: string) => (await site.host.auth.users.getByLogin(login))?.email
  const mails = () => {
    const folder = join(site.host.config.siteDir, 'mail')
    return readdirSync(folder)
      .sort(byOrder)
      .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '='))
  }
  const lastKey = () => /action=confirmemail&key=([\w-]+)/.exec(mails().at(-1) ?? '')?.[1] ?? ''
  const open = (key: string) => request(site.url).get(`/wp-login.php?action=confirmemail&key=${key}`)
  const confirm = (key: string) =>
    request(site.url).post('/wp-login.php?action=confirmemail').type('form').send({ key })
  const ask = async (email: string, login = 'ann') =>
    site.ask('POST /host/v1/email-change', { email }, await site.browser(login, PASSWORD))

  it('takes effect when the link sent to the new address is confirmed, once, and the former one is notified', async () => {
    const { status, item } = await ask('ann@example.net')
    expect([status, item.data]).to.deep.equal([200, { pending: 'ann@example.net' }])
    expect(mails().at(-1)).to.include('To: ann@example.net')
    expect(await emailOf('ann')).to.equal('ann@example.org')

    const key = lastKey()
    expect((await open(key)).text).to.include('Change the email address of ann to <strong>ann@example.net</strong>?')
    expect(await emailOf('ann'), 'opening the link changes nothing').to.equal('ann@example.org')
    expect((await confirm(key)).text).to.include('Your email address is now <strong>ann@example.net</strong>')
    expect(await emailOf('ann')).to.equal('ann@example.net')
    expect(mails().at(-1)).to.include('To: ann@example.org').and.include('was changed to ann@example.net')
    expect((await confirm(key)).status).to.equal(400)
  })

  it('sends both emails in the language of the user', async () => {
    const ann = await site.host.auth.users.getByLogin('ann')
    await site.host.auth.users.update(ann?.id ?? 0, { locale: 'de_DE' })
    await ask('ann@example.com')
    expect(mails().at(-1)).to.include('die E-Mail-Adresse Ihres Kontos ann auf').and.include('To: ann@example.com')
    await confirm(lastKey())
    expect(mails().at(-1)).to.include('Die E-Mail-Adresse Ihres Kontos ann auf').and.include('<html lang="de-DE"')
    await site.host.auth.users.update(ann?.id ?? 0, { locale: '' })
  })

  it('can be canceled, and a later request replaces an earlier one', async () => {
    await ask('first@example.net', 'ben')
    const first = lastKey()
    await ask('second@example.net', 'ben')
    expect((await confirm(first)).status).to.equal(400)
    const as = await site.browser('ben')
    expect((await site.ask('GET /host/v1/email-change', undefined, as)).item.data).to.deep.equal({
      pending: 'second@example.net',
    })
    await site.ask('DELETE /host/v1/email-change', undefined, as)
    expect((await confirm(lastKey())).status).to.equal(400)
    expect(await emailOf('ben')).to.equal('ben@example.org')
  })

  it('rejects visitors, addresses that are taken, forms of other sites, and expired links', async () => {
    expect(await site.outcome('POST /host/v1/email-change', { email: 'x@example.net' })).to.match(/^401/)
    expect((await ask('admin@example.org', 'ben')).item.code).to.equal('existing_user_email')
    await ask('ben@example.net', 'ben')
    const key = lastKey()
    expect((await confirm(key).set('Sec-Fetch-Site', 'cross-site')).status).to.equal(403)
    await site.host.database.db.updateTable('account_links').set({ expires_gmt: '2026-01-01 00:00:00' }).execute()
    expect((await open(key)).status).to.equal(400)
    expect((await confirm(key)).status).to.equal(400)
    expect(await emailOf('ben')).to.equal('ben@example.org')
  })
})
