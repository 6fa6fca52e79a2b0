import { expect } from 'chai'
import { sql } from 'kysely'
import { createTestHost, type TestHost } from 'pentad/testing'
import sharp from 'sharp'
import { createPrivacyRequests } from '../../cms/privacy/requests.ts'
import { createTranslations } from '../../cms/text/index.ts'
import { writeGuest } from '../sandbox/guests.ts'
import { onEachDatabase } from '../support/databases.ts'

const REQUESTS = '/wp-json/host/v1/privacy/requests'
const DAY = 24 * 60 * 60 * 1000

onEachDatabase('requests for personal data', (databaseUrl) => {
  let site: TestHost
  before(async () => {
    const guest = await writeGuest(
      'letters',
      'sandbox',
      `permissions: { hooks: ['wp_privacy_personal_data_exporters', 'wp_privacy_personal_data_erasers'] },
      setup({ hooks }) {
        hooks.addFilter('wp_privacy_personal_data_exporters', (groups, email) =>
          [...groups, { id: 'letters', label: 'Letters', items: [{ id: '1', data: [{ name: 'To', value: email }] }] }])
        hooks.addFilter('wp_privacy_personal_data_erasers', (report) => ({ ...report, removed: report.removed + 1 }))
      }`,
    )
    site = await createTestHost({
      services: true,
      extensions: [guest],
      config: { databaseUrl: await databaseUrl() },
    })
  })
  after(() => site?.close())

  const textsFor = () => createTranslations({ siteDir: site.host.config.siteDir, log: site.host.log }).page('')
  const send = async (method: string, path: string, body?: unknown, as = 'administrator') => {
    const answer = await site.request(path, { method, as, body })
    const { data, code, message } = JSON.parse(await answer.text())
    return { status: answer.status, data, code, message }
  }
  const comment = async (authorEmail: string) => {
    const { items } = await site.host.content.posts.query({ types: ['post'], limit: 1 })
    return site.host.content.comments.insert({
      ...{ postId: items[0]?.id ?? 0, parentId: 0, userId: 0, authorName: 'Ada', authorEmail },
      ...{ authorUrl: 'https://ada.example.org', authorAddress: '192.0.2.7', userAgent: 'Mozilla', type: 'comment' },
      ...{ content: `Words of ${authorEmail}`, status: 'approved', date: '', dateGmt: '' },
    })
  }
  const lastMail = (to: string) => site.mails.findLast((mail) => mail.to === to)
  const linkIn = (to: string) => /https?:\S+wp-login\S+/.exec(lastMail(to)?.text ?? '')?.[0] ?? ''
  /** What the button of a page behind a link sends. */
  const press = (link: string, fields: Record<string, string> = {}) => {
    const url = new URL(link)
    return fetch(`${site.url}/wp-login.php?action=${url.searchParams.get('action')}`, {
      method: 'POST',
      body: new URLSearchParams({ key: url.searchParams.get('key') ?? '', ...fields }),
    })
  }
  const open = async (link: string) => {
    const { pathname, search } = new URL(link)
    const page = await fetch(site.url + pathname + search)
    return { status: page.status, text: await page.text() }
  }
  const add = async (type: string, email: string, isConfirmed = false) =>
    (await send('POST', REQUESTS, { type, email, isConfirmed })).data

  it('are confirmed by a button, not by opening the link, once', async () => {
    const { id, ...added } = await add('export', 'eve@example.org')
    // There is no SMTP server.
    expect(added).to.include({ state: 'pending', storedAsFile: true })
    expect((await send('POST', `${REQUESTS}/${id}/complete`)).code).to.equal('privacy_request_state')
    expect((await send('GET', `${REQUESTS}/${id}/data`)).code).to.equal('privacy_request_state')
    expect((await send('POST', REQUESTS, { type: 'export', email: 'eve@example.org' })).status).to.equal(409)
    const first = linkIn('eve@example.org')
    expect((await send('POST', `${REQUESTS}/${id}/resend`)).data).to.include({ storedAsFile: true })
    expect(await add('erase', 'eve@example.org', true)).to.include({ state: 'confirmed', storedAsFile: false })
    expect((await open(first)).status).to.equal(400)
    const link = linkIn('eve@example.org')
    expect((await open(link)).text).to.contain('Export the personal data of <strong>eve@example.org</strong>?')
    const { data } = await send('GET', `${REQUESTS}?type=export`)
    expect(data.items[0]).to.include({ id, state: 'pending' })
    expect((await press(link)).status).to.equal(200)
    expect((await send('GET', `${REQUESTS}?type=export`)).data.items[0]).to.include({ id, state: 'confirmed' })
    expect(lastMail(site.host.content.siteSettings().adminEmail)?.text).to.contain('eve@example.org has confirmed')
    expect((await press(link)).status).to.equal(400)
    expect((await send('POST', `${REQUESTS}/${id}/resend`)).status).to.equal(409)
  })

  it('export accounts, comments, emails, and data of services and sandboxed extensions, as a page and as JSON', async () => {
    const { host } = site
    await host.auth.users.create({
      login: 'ada',
      email: 'ada@example.org',
      displayName: 'Ada <b>',
      roles: ['subscriber'],
    })
    const { id: userId } = (await host.auth.users.getByLogin('ada')) ?? { id: 0 }
    const source = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const picture = await host.content.media.upload({ name: 'ada.png', source })
    await host.content.meta.set('user', userId, 'profile_picture', picture.id)
    const { db } = host.database
    await sql`insert into pwa_subscriptions (endpoint_hash, endpoint, origin, p256dh, auth, encoding, user_id, user_proven, country,
      operating_system, browser, device, created_gmt) values ('a', 'b', 'https://push.example.org', 'c', 'd', 'aes128gcm', ${userId}, 1,
      'DE', 'Linux', 'Firefox', 'desktop', '2026-01-05 08:00:00')`.execute(db)
    await sql`insert into ai_conversations (user_id, title, updated_gmt) values (${userId}, 'Hi', '2026-01-05 08:00:00')`.execute(
      db,
    )
    await sql`insert into ai_messages (conversation_id, role, text, created_gmt, steps)
      select id, 'user', 'Help me', '2026-01-05 08:00:00', '[]' from ai_conversations`.execute(db)
    await comment('ADA@example.org')
    await comment('not-ada@example.org')
    await host.mail.send({ to: 'Ada <ada@example.org>', subject: 'Your order 12', text: 'Thank you!' })
    const { id } = await add('export', 'ada@example.org', true)
    expect(lastMail('ada@example.org')).to.equal(undefined)
    await send('POST', `${REQUESTS}/${id}/complete`)
    const link = linkIn('ada@example.org')
    expect((await open(link)).text).to.contain('Download as JSON')
    const file = await press(link, { format: 'json' })
    expect(file.headers.get('content-disposition')).to.equal('attachment; filename="personal-data.json"')
    expect(file.headers.get('cache-control')).to.equal('no-store')
    const { groups } = JSON.parse(await file.text())
    expect(groups.map(({ id: group }: { id: string }) => group)).to.have.members([
      ...['user', 'comments', 'emails', 'push', 'copilot', 'letters'],
    ])
    const text = JSON.stringify(groups)
    expect(text).to.contain('Words of ADA@example.org').and.contain('Your order 12').and.contain('192.0.2.7')
    expect(text).not.to.contain('not-ada')
    expect(text).to.match(/"Profile picture","value":"[^"]+\/ada\.png"/)
    expect(text).to.contain('{"name":"To","value":"ada@example.org"}')
    const page = await (await press(link, { format: 'html' })).text()
    expect(page).to.contain('Ada &lt;b&gt;')
    expect((await send('GET', `${REQUESTS}/${id}/data`)).data.groups).to.have.lengthOf(6)
  })

  it('erase: comments lose the name, emails of the log go, accounts stay and are named', async () => {
    const { host } = site
    const [mine, other] = [await comment('bob@example.org'), await comment('xbob@example.org')]
    await host.mail.send({ to: 'admin@example.org', subject: 'A comment', text: 'Email: bob@example.org' })
    await host.mail.send({ to: 'xbob@example.org', subject: 'To another', text: 'Hello' })
    const { id } = await add('erase', 'bob@example.org', true)
    const { data } = await send('POST', `${REQUESTS}/${id}/complete`)
    expect(data.report).to.deep.equal({ removed: 3, retained: 0, messages: [] })
    expect(await host.content.comments.get(mine.id)).to.include({
      ...{ authorName: 'Anonymous', authorEmail: '', authorUrl: '', authorAddress: '', userAgent: '' },
      content: 'Words of bob@example.org',
    })
    expect(await host.content.comments.get(other.id)).to.include({ authorEmail: 'xbob@example.org' })
    const log = await host.database.db.selectFrom('mail_log').select('subject').execute()
    expect(log.map(({ subject }) => subject))
      .to.include('To another')
      .and.not.include('A comment')
    expect(lastMail('bob@example.org')?.subject).to.contain('was erased')

    const { id: second } = await add('erase', 'ada@example.org', true)
    const answer = await send('POST', `${REQUESTS}/${second}/complete`)
    expect(answer.data.report.retained).to.equal(1)
    expect(answer.data.report.messages).to.include(
      'The profile picture was removed. Its file is still in the media library.',
    )
    const ada = await host.auth.users.getByEmail('ada@example.org')
    const meta = (await host.content.meta.of('user', [ada?.id ?? 0])).get(ada?.id ?? 0)
    expect(meta).not.to.have.property('profile_picture')
    for (const table of ['pwa_subscriptions', 'ai_conversations', 'ai_messages']) {
      const { rows } = await sql`select 1 from ${sql.table(table)}`.execute(host.database.db)
      expect(rows, table).to.deep.equal([])
    }
    expect(answer.data.report.messages[1]).to.contain('The account ada was kept')
  })

  for (const [type, hook] of [
    ['erase', 'wp_privacy_personal_data_erasers'],
    ['export', 'wp_privacy_personal_data_exporters'],
  ] as const) {
    it(`stay open if an extension fails to ${type} its data, or is paused, and name it`, async () => {
      const { extensions } = site.host
      const source = (isBroken: boolean) => `permissions: { hooks: ['${hook}'] },
        setup({ hooks }) { hooks.addFilter('${hook}', (value) => { ${isBroken ? "throw new Error('no luck')" : 'return value'} }) }`
      const id = `frail-${type}`
      const folder = await writeGuest(id, 'sandbox', source(true))
      await extensions.activate(await extensions.add(folder))
      const email = `${type}@example.org`
      const { id: requestId } = await add(type, email, true)
      const complete = () => send('POST', `${REQUESTS}/${requestId}/complete`)
      const { status, code, message } = await complete()
      expect([status, code]).to.deep.equal([500, 'privacy_extension_failed'])
      expect(message).to.contain(`extensions: ${id}.`)
      const requestNow = async () =>
        (await send('GET', `${REQUESTS}?type=${type}`)).data.items.find((one: { id: number }) => one.id === requestId)
      expect(await requestNow()).to.include({ state: 'confirmed', completed: null, report: null })
      expect(lastMail(email)).to.equal(undefined)
      // Until the extension is paused.
      for (let at = 0; at < 50 && extensions.running().some((one) => one.id === id); at++) await complete()
      expect(extensions.running().some((one) => one.id === id)).to.equal(false)
      expect((await complete()).message).to.contain(`extensions: ${id}.`)
      await extensions.deactivate(id)
      expect((await complete()).data.state).to.equal('completed')
    })
  }

  it('are closed to everyone but administrators', async () => {
    for (const [method, path] of [
      ['GET', `${REQUESTS}?type=export`],
      ['POST', `${REQUESTS}/1/complete`],
      ['DELETE', `${REQUESTS}/1`],
    ] as const) {
      expect((await send(method, path, undefined, 'editor')).status).to.equal(403)
    }
    expect((await send('DELETE', `${REQUESTS}/999999`)).code).to.equal('privacy_request_not_found')
  })

  it('have links that expire, and are deleted after 30 days', async () => {
    const { database, hooks, auth, mail } = site.host
    let later = 0
    const requests = createPrivacyRequests({
      ...{ database, hooks, users: auth.users, mail, textsFor, siteUrl: site.url, paused: () => [] },
      site: site.host.content.siteSettings,
      now: () => Date.now() + later,
    })
    const { id } = await requests.create({ type: 'export', email: 'kim@example.org', isConfirmed: false })
    const key = new URL(linkIn('kim@example.org')).searchParams.get('key') ?? ''
    later = DAY + 1000
    expect(await requests.check(key).catch((error) => error.code)).to.equal('invalid_key')
    later = 0
    await requests.confirm(key)
    await requests.complete(id)
    const download = new URL(linkIn('kim@example.org')).searchParams.get('key') ?? ''
    expect(await requests.checkDownload(download)).to.include({ email: 'kim@example.org' })
    later = 3 * DAY + 1000
    expect(await requests.checkDownload(download).catch((error) => error.code)).to.equal('invalid_key')
    later = 29 * DAY
    await requests.prune()
    await requests.get(id)
    later = 31 * DAY
    await requests.prune()
    expect(await requests.get(id).catch((error) => error.code)).to.equal('privacy_request_not_found')
  })

  it('keep no request whose confirmation email could not be sent', async () => {
    const { database, hooks, auth } = site.host
    const mail = { send: () => Promise.reject(new Error('The server is down.')) }
    const requests = createPrivacyRequests({
      ...{ database, hooks, users: auth.users, mail, textsFor, siteUrl: site.url, paused: () => [] },
      site: site.host.content.siteSettings,
    })
    const before = await requests.query({ type: 'erase', limit: 10, offset: 0 })
    await requests.create({ type: 'erase', email: 'kim@example.org', isConfirmed: false }).catch(() => {})
    expect(await requests.query({ type: 'erase', limit: 10, offset: 0 })).to.deep.equal(before)
    expect((await send('POST', REQUESTS, { type: 'erase', email: 'not an address' })).status).to.equal(400)
  })

  it('suggest a policy by the active services, and link to the published one', async () => {
    const { data } = await send('GET', '/wp-json/host/v1/privacy/policy-text')
    const titles = data.sections.map(({ title }: { title: string }) => title)
    expect(titles).to.include.members(['Comments', 'Push notifications', 'Backups', 'AI', 'Page speed'])
    const { posts } = site.host.content
    const page = await posts.insert({ type: 'page', status: 'draft', title: 'Privacy & you', slug: 'privacy' })
    await site.host.settings.get('privacy')?.update({ policyPage: page.id })
    const LINK = /<a href="[^"]*\/privacy\/"[^>]*>Privacy (?:&amp;|&#0?38;) you<\/a>/
    const pages = async () => [await (await site.get('/')).text(), await (await site.get('/wp-login.php')).text()]
    for (const html of await pages()) expect(html).not.to.match(LINK)
    await posts.update(page.id, { status: 'publish' })
    for (const html of await pages()) expect(html).to.match(LINK)
    await posts.update(page.id, { status: 'draft' })
    for (const html of await pages()) expect(html).not.to.match(LINK)
  })
})
