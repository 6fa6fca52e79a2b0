import { expect } from 'chai'
import type { TestHost } from '../../app/testing/index.ts'
import { ask, cacheStateOf, startCachedSite } from './cached-site.ts'

const ATTACKS: Record<string, Record<string, string>> = {
  'X-Forwarded-Host': { 'x-forwarded-host': 'evil.example' },
  'X-Forwarded-Proto and -Port': {
    'x-forwarded-proto': 'https',
    'x-forwarded-port': '666',
    'x-forwarded-scheme': 'evil',
  },
  'X-Host and Forwarded': { 'x-host': 'evil.example', forwarded: 'host=evil.example;proto=https' },
  'X-Original-URL': { 'x-original-url': '/wp-login.php', 'x-rewrite-url': '/evil' },
  'X-HTTP-Method-Override': { 'x-http-method-override': 'POST', 'x-method-override': 'DELETE' },
  'X-Forwarded-For': {
    'x-forwarded-for': '127.0.0.1<evil>',
    'user-agent': '<script>evil</script>',
    referer: 'http://evil',
  },
  Range: { range: 'bytes=0-5', 'if-range': '"evil"' },
  Accept: { accept: 'application/json', 'accept-language': 'evil', 'accept-encoding': 'evil, identity' },
  'Cache-Control': { 'cache-control': 'no-cache, no-store, max-age=0', pragma: 'no-cache' },
  Cookie: { cookie: 'lang=evil; theme=evil' },
  Origin: { origin: 'http://evil.example', 'access-control-request-method': 'POST' },
  'conditions that hold': { 'if-none-match': '*', 'if-modified-since': new Date(4e12).toUTCString() },
}

describe('A page cache under a cache-poisoning attack', () => {
  let site: TestHost
  before(async () => {
    site = await startCachedSite()
  })
  after(() => site.close())

  let number = 0
  for (const [name, headers] of Object.entries(ATTACKS)) {
    it(`gives others the same page after ${name}`, async () => {
      const path = `/hello-world/?attack=${++number}`
      await ask(site, path, { headers })
      const victim = await ask(site, path)
      expect([victim.status, victim.headers['x-cache']]).to.deep.equal([200, 'HIT'])
      expect(victim.headers['content-type']).to.match(/^text\/html/)
      expect(JSON.stringify(victim.headers) + victim.body).not.to.include('evil')
      expect(victim.body.toString())
        .to.include('Hello world!')
        .and.match(/<\/html>\s*$/)
    })
  }

  it('does not read the body of a GET', async () => {
    await ask(site, '/hello-world/?fat=1', { headers: { 'content-length': '6' }, body: 's=evil' })
    expect(await cacheStateOf(site, '/hello-world/?fat=1')).to.equal('MISS')
  })

  it('distinguishes parameters that another server would parse differently', async () => {
    await ask(site, '/?x=1&utm_content=a;x=evil')
    const victim = await ask(site, '/?x=1&utm_content=a')
    expect(victim.headers['x-cache']).to.equal('MISS')
    expect(victim.body.toString()).not.to.include('evil')
  })

  it('never serves the page of a logged-in user to others, whatever its URL', async () => {
    const cookie = await signIn(site, 'ann')
    for (const path of ['/wp-admin/profile.css', '/hello-world/style.css', '/hello-world/x.js?v=1', '/hello-world/']) {
      const own = await ask(site, path, { headers: { cookie } })
      expect(own.headers['x-cache']).to.equal('BYPASS')
      expect((await ask(site, path)).body.toString()).not.to.include('logged-in')
    }
  })
})

describe('Fifty logged-in users among anonymous visitors', () => {
  it('each get their own page, thousands of times', async () => {
    const site = await startCachedSite()
    try {
      site.host.hooks.addAction('wp_footer', (output, page) =>
        output.print(`<i>visitor:${page.user?.login ?? 'none'}</i>`),
      )
      const logins = Array.from({ length: 50 }, (_, at) => `user${at}`)
      const cookies = await Promise.all(logins.map(async (login) => ({ login, cookie: await signIn(site, login) })))
      const paths = ['/', '/hello-world/', '/sample-page/', '/category/uncategorized/', '/nothing/', '/?a=2']
      const wrong: string[] = []
      const visit = async (login: string, cookie: string | undefined, path: string) => {
        const answer = await ask(site, path, { headers: cookie ? { cookie } : {} })
        if (!answer.body.includes(`visitor:${login}<`)) wrong.push(`${login} ${path} ${answer.headers['x-cache']}`)
      }
      for (let round = 0; round < 24; round++) {
        const visits = cookies.flatMap(({ login, cookie }, at) => {
          const path = paths[(at + round) % paths.length] ?? '/'
          return [visit(login, cookie, path), visit('none', undefined, path)]
        })
        await Promise.all(visits)
      }
      expect(wrong).to.deep.equal([])
    } finally {
      await site.close()
    }
  })
})

async function signIn(site: TestHost, login: string): Promise<string> {
  const { auth } = site.host
  const user = await auth.users.create({ login, email: `${login}@example.org`, roles: ['administrator'] })
  const session = await auth.startSession(user, { address: '127.0.0.1', userAgent: 'test', remember: false })
  return auth.sessionCookie(session).split(';')[0] ?? ''
}
