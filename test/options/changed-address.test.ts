/** Somebody who may change settings, but knows no secret, points them to a server of theirs. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { type LocationServer, startS3, startSftp, startWebdav } from '../backup/locations/servers.ts'

const root = join(import.meta.dirname, '../..')
const extensions = ['plugins/backup', 'extensions/varnish-purge', 'extensions/webhook-purge'].map((path) =>
  join(root, path),
)
const SECRET = 'a-secret-that-nobody-may-see'

describe('A stored secret, after its address was changed', () => {
  let site: TestHost
  let webdav: LocationServer
  let sftp: LocationServer
  let s3: LocationServer
  let eavesdropper: Server
  let evil: URL
  const heard: string[] = []

  before(async () => {
    site = await createTestHost({ extensions })
    ;[webdav, sftp, s3] = await Promise.all([startWebdav(), startSftp(), startS3()])
    // Asks for the password as a WebDAV server does.
    eavesdropper = createServer((request, response) => {
      heard.push(JSON.stringify([request.method, request.url, request.rawHeaders]))
      request.resume()
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="backups"' }).end()
    })
    // `BAN` is no method that Node knows.
    eavesdropper.on('clientError', (error: Error & { rawPacket?: Buffer }, socket) => {
      heard.push(String(error.rawPacket))
      socket.destroy()
    })
    await new Promise<void>((resolve) => eavesdropper.listen(0, '127.0.0.1', resolve))
    const { port }: Partial<AddressInfo> = Object(eavesdropper.address())
    evil = new URL(`http://127.0.0.1:${port}`)
  })
  after(async () => {
    eavesdropper.closeAllConnections()
    eavesdropper.close()
    await site.close()
    await Promise.all([webdav, sftp, s3].map((server) => server.stop()))
  })
  beforeEach(() => void heard.splice(0))

  const put = (path: string, settings: unknown) =>
    site.request(`/wp-json${path}`, { method: 'PUT', body: { settings }, as: 'administrator' })
  const backup = (settings: unknown) => put('/backup/v1/settings', settings)
  const test = (location: string) =>
    site.request('/wp-json/backup/v1/backup/test', { method: 'POST', body: { location }, as: 'administrator' })
  const wrongParameters = async (answer: Awaited<ReturnType<typeof put>>) => {
    const { code, data } = JSON.parse(await answer.text())
    expect(answer.status).to.equal(400)
    expect(code).to.equal('rest_invalid_param')
    return Object.keys(data.params)
  }

  it('is not sent to another WebDAV server', async () => {
    expect((await backup(webdav.settings())).status).to.equal(200)
    expect((await test('webdav')).status).to.equal(200)
    for (const change of [
      { webdavUrl: evil.href },
      { webdavUrl: evil.href, webdavPassword: '********' },
      { webdavUrl: evil.href, webdavUser: 'anna' },
    ]) {
      expect(await wrongParameters(await backup(change))).to.deep.equal(['webdavPassword'])
    }
    expect((await test('webdav')).status, 'the old address still works').to.equal(200)
    expect(heard).to.deep.equal([])
  })

  it('is not sent there by way of an empty address either', async () => {
    await backup(webdav.settings())
    expect((await backup({ webdavUrl: '' })).status).to.equal(200)
    expect((await backup({ webdavUrl: evil.href })).status).to.equal(200)
    expect((await test('webdav')).status).to.equal(502)
    expect(heard, 'it was asked').not.to.deep.equal([])
    for (const request of heard) {
      const sent = [...request.matchAll(/Basic ([\w+/=]+)/g)].map(([, text = '']) =>
        Buffer.from(text, 'base64').toString(),
      )
      expect([request, ...sent].join('\n')).not.to.include('correct horse')
    }
  })

  it('is sent to the new server once it was entered for it', async () => {
    await backup({ webdavUrl: evil.href, webdavUser: 'anna', webdavPassword: SECRET })
    await test('webdav')
    expect(heard.join('\n')).to.include(Buffer.from(`anna:${SECRET}`).toString('base64'))
  })

  it('is not sent to another SFTP host, port, account or key of the host', async () => {
    const settings = sftp.settings()
    expect((await backup(settings)).status).to.equal(200)
    expect((await test('sftp')).status).to.equal(200)
    for (const change of [
      { sftpHost: 'localhost' },
      { sftpPort: Number(evil.port) },
      { sftpUser: 'mallory' },
      { sftpHostFingerprint: `SHA256:${'A'.repeat(43)}` },
    ]) {
      const wrong = await wrongParameters(await backup(change))
      expect(wrong, JSON.stringify(change)).to.be.an('array').that.is.not.empty
      for (const key of wrong) expect(['sftpPassword', 'sftpPrivateKey']).to.include(key)
    }
    expect((await test('sftp')).status).to.equal(200)
  })

  it('does not sign requests to another S3 endpoint, from Amazon either', async () => {
    expect((await backup(s3.settings())).status).to.equal(200)
    expect(await wrongParameters(await backup({ s3Endpoint: evil.href }))).to.deep.equal(['s3SecretKey'])
    expect((await backup({ s3Endpoint: '', s3SecretKey: SECRET })).status).to.equal(200)
    expect(await wrongParameters(await backup({ s3Endpoint: evil.href }))).to.deep.equal(['s3SecretKey'])
    expect(heard).to.deep.equal([])
  })

  it('is not sent to another Varnish, nor to one more', async () => {
    const varnish = (settings: unknown) => put('/host/v1/settings/varnish-purge', settings)
    const [node, other] = ['http://127.0.0.1:1', 'http://127.0.0.1:2']
    expect((await varnish({ nodes: [node, other], secret: SECRET })).status).to.equal(200)
    expect(await wrongParameters(await varnish({ nodes: [evil.origin] }))).to.deep.equal(['secret'])
    expect(await wrongParameters(await varnish({ nodes: [node, evil.origin] }))).to.deep.equal(['secret'])
    expect((await varnish({ nodes: [node] })).status, 'one fewer').to.equal(200)
    expect((await varnish({ nodes: [] })).status).to.equal(200)
    expect((await varnish({ nodes: [evil.origin] })).status, 'the secret went with the last one').to.equal(200)
    await site.request('/wp-json/varnish-purge/v1/test', { method: 'POST', as: 'administrator' })
    expect(heard.join('\n')).not.to.equal('').and.not.to.include(SECRET)
  })

  it('does not sign what a webhook at another address gets', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const webhook = (settings: unknown) => put('/host/v1/settings/webhook-purge', settings)
    expect((await webhook({ urls: ['https://hooks.example.org/a'], secret })).status).to.equal(200)
    expect(await wrongParameters(await webhook({ urls: ['https://evil.example/a'] }))).to.deep.equal(['secret'])
  })
})
