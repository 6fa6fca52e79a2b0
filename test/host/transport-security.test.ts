import { expect } from 'chai'
import { createSite, type Site } from '../../app/create-site.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { ask, speak } from '../support/wire.ts'

describe('Transport security', () => {
  const open: Site[] = []
  afterEach(async () => {
    for (const host of open.splice(0)) await host.close()
  })

  async function start(url: string, trustedProxies: string[]): Promise<string> {
    const settings = { siteDir: temporaryFolder(), port: 0, logLevel: 'silent', url, trustedProxies } as const
    const host = await createSite(settings)
    open.push(host)
    return host.listen()
  }
  const HOST = 'Host: example.org'

  it('is asked for on every answer of a site whose URL is https, also of one that comes from the page cache', async () => {
    const server = await start('https://example.org', [])
    for (const path of ['/hello-world/', '/hello-world/', '/wp-json/', '/wp-login.php', '/nowhere/']) {
      expect(await ask(server, path, HOST), path).to.contain('Strict-Transport-Security: max-age=31536000')
    }
    const { headers } = await fetch(`${server}/wp-json/`)
    expect(headers.get('strict-transport-security')).to.equal('max-age=31536000')
  })

  it('is not asked for on a site whose URL is http', async () => {
    expect(await ask(await start('http://example.org', []), '/hello-world/', HOST)).to.not.contain('Strict-Transport')
  })

  it('sends visitors to HTTPS who reached a trusted proxy without', async () => {
    const server = await start('https://example.org', ['127.0.0.1'])
    const redirected = await ask(server, '//evil.example/?a=1', HOST, 'X-Forwarded-Proto: http')
    expect(redirected)
      .to.match(/^HTTP\/1\.1 301 /)
      .and.to.contain('Location: https://example.org//evil.example/?a=1\r\n')
    expect(redirected).to.not.contain('Strict-Transport')
    expect(await ask(server, '/hello-world/', HOST, 'X-Forwarded-Proto: https')).to.match(/^HTTP\/1\.1 200 /)
    expect(await ask(server, '/hello-world/', HOST)).to.match(/^HTTP\/1\.1 200 /)
  })

  it('refuses what else comes that way, and says why', async () => {
    const server = await start('https://example.org', ['127.0.0.1'])
    const post = (path: string, protocol: string) =>
      speak(
        server,
        [
          ...[`POST ${path} HTTP/1.1`, HOST, `X-Forwarded-Proto: ${protocol}`, 'Content-Length: 2'],
          ...['Content-Type: application/json', 'Connection: close', '', '{}'],
        ].join('\r\n'),
      )
    for (const path of ['/wp-json/wp/v2/posts', '/wp-login.php', '/wp-comments-post.php', '/']) {
      const refused = await post(path, 'http')
      expect(refused, path)
        .to.match(/^HTTP\/1\.1 403 /)
        .and.to.contain('must be sent over HTTPS')
    }
    expect(await post('/wp-json/wp/v2/posts', 'https')).to.contain('"rest_cannot_create"')
  })

  it('ignores X-Forwarded-Proto from untrusted clients, and does not redirect on an http site', async () => {
    const undeclared = await start('https://example.org', ['10.0.0.0/8'])
    expect(await ask(undeclared, '/hello-world/', HOST, 'X-Forwarded-Proto: http')).to.match(/^HTTP\/1\.1 200 /)
    const plain = await start('http://example.org', ['127.0.0.1'])
    expect(await ask(plain, '/hello-world/', HOST, 'X-Forwarded-Proto: http')).to.match(/^HTTP\/1\.1 200 /)
  })
})
