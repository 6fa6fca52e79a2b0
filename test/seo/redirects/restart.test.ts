import { expect } from 'chai'
import { createSite, type Site } from '../../../app/create-site.ts'
import { CHEAPEST } from '../../../core/auth/index.ts'
import { freePort } from '../../support/free-port.ts'
import { temporaryFolder } from '../../support/site-folder.ts'

describe('Redirects of a site that is closed and opened', () => {
  const folder = temporaryFolder()
  const hosts: Site[] = []

  async function open(): Promise<Site> {
    const port = await freePort()
    const host = await createSite(
      { siteDir: folder, port, url: 'http://127.0.0.1:8080', logLevel: 'silent' },
      { passwordCost: CHEAPEST },
    )
    hosts.push(host)
    return host
  }
  async function call(host: Site, method: 'GET' | 'POST' | 'DELETE', path: string, body: Record<string, unknown> = {}) {
    const user = (await host.auth.users.getByLogin('admin')) ?? null
    const session = { session: null, applicationPassword: null, freshNonce: null }
    const identity = { user, via: 'application-password', ...session } as const
    const { body: answer } = await host.rest.dispatch({ method, route: `/seo/v1${path}`, body, identity })
    return JSON.parse(JSON.stringify(answer)).data
  }
  const ask = async (address: string, path: string) => {
    const answer = await fetch(address + path, { redirect: 'manual' })
    await answer.text()
    return `${answer.status} ${answer.headers.get('location')}`
  }

  /** Asks again and again until the answer is that one. */
  const until = async (look: () => Promise<string>, wanted: string) => {
    const deadline = Date.now() + 20_000
    let answer = ''
    while (answer !== wanted && Date.now() < deadline) {
      answer = await look()
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(answer).to.equal(wanted)
  }

  after(async () => {
    for (const host of hosts) await host.close()
  })

  it('work from the first request, and have kept their hits', async () => {
    const first = await open()
    const address = await first.listen()
    const { id } = await call(first, 'POST', '/redirects', { source: '/old', target: '/new' })
    await call(first, 'POST', '/redirects', { source: '^/r/(.*)$', target: '/s/$1', match: 'regex' })
    for (let time = 0; time < 3; time++) expect(await ask(address, '/old')).to.equal('301 /new')
    await first.close()

    const second = await open()
    const again = await second.listen()
    expect(await ask(again, '/r/1')).to.equal('301 /s/1')
    expect((await call(second, 'GET', `/redirects/${id}`)).hits).to.equal(3)
    await second.close()
  })

  it('are read later where the database had trouble at the start', async () => {
    const before = await open()
    await call(before, 'POST', '/redirects', { source: '/later', target: '/x' })
    await before.close()

    const host = await open()
    const { schema } = host.database.db
    await schema.alterTable('seo_redirects').renameTo('away').execute()
    const address = await host.listen()
    expect(await ask(address, '/later')).to.equal('404 null')
    await schema.alterTable('away').renameTo('seo_redirects').execute()
    await until(() => ask(address, '/later'), '301 /x')
    expect((await call(host, 'POST', '/redirects/test', { url: '/later' })).end).to.equal('page')
    await host.close()
  })

  it('come to other processes of the site', async () => {
    const here = await open()
    const there = await open()
    const address = await there.listen()
    expect(await ask(address, '/from-here')).to.equal('404 null')
    await call(here, 'POST', '/redirects', { source: '/from-here', target: '/x' })
    await until(() => ask(address, '/from-here'), '301 /x')
  })
})
