import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { expect } from 'chai'
import { makeArchive, never, recordProgress, sumOfDownload } from './archive.ts'
import { behavesAsLocation, openLocation, reasonOf } from './behavior.ts'
import { type LocationServer, startWebdav } from './servers.ts'

describe('backup location webdav', () => {
  let server: LocationServer
  before(async () => {
    server = await startWebdav()
  })
  after(() => server.stop())

  const open = (wrong = {}) => openLocation({ id: 'webdav', settings: { ...server.settings(), ...wrong } })

  behavesAsLocation({
    port: () => server.port,
    reach: (port) => ({ id: 'webdav', settings: server.settings(port) }),
    resumes: false,
    lossBytes: 0,
  })

  it('publishes by a move, and does not list what is not whole', async () => {
    const location = await open()
    const file = await makeArchive(1)
    mkdirSync(join(server.folder, 'my backups'), { recursive: true })
    writeFileSync(join(server.folder, 'my backups', `${file.name}.part`), 'half of an earlier try')
    expect(await location.list(never())).to.deep.equal([])
    await location.upload(file, recordProgress())
    expect(readdirSync(join(server.folder, 'my backups'))).to.deep.equal([file.name])
    expect(await sumOfDownload(location, file.name)).to.equal(file.sha256)
    await location.remove(file.name, never())
  })

  it('says that the password is wrong, or that the folder cannot be made', async () => {
    const cases = [
      [{ webdavPassword: 'wrong' }, 'WebDAV: The username or password is incorrect.'],
      [{ webdavUser: '' }, 'WebDAV: The username or password is incorrect.'],
      [
        { webdavUrl: `http://127.0.0.1:${server.port}/no/such/folder` },
        'WebDAV: The folder does not exist and could not be created.',
      ],
    ] as const
    for (const [wrong, reason] of cases) {
      const location = await open(wrong)
      expect(await reasonOf(location.test(never()))).to.equal(reason)
      expect(await reasonOf(location.upload(await makeArchive(0), recordProgress()))).to.equal(reason)
    }
    expect(existsSync(join(server.folder, 'no'))).to.equal(false)
  })

  describe('a server with errors', () => {
    let troubled: Server
    let url = ''
    /** What it answers to a PUT, one after the other; the last for ever. */
    let answers: { status: number; headers?: Record<string, string> }[] = []
    let puts = 0

    before(async () => {
      troubled = createServer((request, response) => {
        request.resume().on('end', () => {
          if (request.method !== 'PUT') {
            // As much of a PROPFIND as says that there is a folder (RFC 4918, section 9.1).
            response.writeHead(207, { 'Content-Type': 'application/xml' })
            response.end(
              '<?xml version="1.0"?><D:multistatus xmlns:D="DAV:"><D:response><D:href>/</D:href><D:propstat><D:prop>' +
                '<D:resourcetype><D:collection/></D:resourcetype></D:prop><D:status>HTTP/1.1 200 OK</D:status>' +
                '</D:propstat></D:response></D:multistatus>',
            )
            return
          }
          puts += 1
          const { status, headers = {} } = (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 201 }
          response.writeHead(status, headers).end('<html>a page full of secrets</html>')
        })
      })
      troubled.listen(0, '127.0.0.1')
      await once(troubled, 'listening')
      const address = troubled.address()
      if (typeof address === 'object') url = `http://127.0.0.1:${address?.port}/`
    })
    beforeEach(() => {
      puts = 0
    })
    after(() => troubled.close())

    const send = async () => (await open({ webdavUrl: url })).upload(await makeArchive(0), recordProgress())

    it('fails immediately for insufficient storage (507) and a quota (413), without retries', async () => {
      answers = [{ status: 507 }]
      expect(await reasonOf(send())).to.equal('WebDAV: There is no space left on the server (HTTP 507).')
      answers = [{ status: 413 }]
      expect(await reasonOf(send())).to.equal('WebDAV: The file is too large for the server (HTTP 413).')
      expect(puts).to.equal(2)
    })

    it('is asked again after 503 and 429, and given up after six tries', async () => {
      answers = [{ status: 503 }, { status: 429, headers: { 'Retry-After': '0' } }, { status: 507 }]
      expect(await reasonOf(send())).to.match(/no space left/)
      expect(puts).to.equal(3)
      puts = 0
      answers = [{ status: 500 }]
      expect(await reasonOf(send())).to.equal('WebDAV: The server responded with HTTP 500.')
      expect(puts).to.equal(6)
    })

    it('is not followed to another server, which gets neither an archive nor a request', async () => {
      const { promise: reached, resolve } = Promise.withResolvers<string>()
      const inside = createServer((request, response) => {
        resolve(`${request.method}`)
        response.end()
      }).listen(0, '127.0.0.1')
      await once(inside, 'listening')
      const address = inside.address()
      const port = typeof address === 'object' ? address?.port : 0
      const elsewhere = createServer((_request, response) => {
        response.writeHead(307, { Location: `http://127.0.0.1:${port}/` }).end()
      }).listen(0, '127.0.0.1')
      await once(elsewhere, 'listening')
      const own = elsewhere.address()
      const location = await open({ webdavUrl: `http://127.0.0.1:${typeof own === 'object' ? own?.port : 0}/` })
      const reason = 'WebDAV: The server redirects to another URL. If you trust that URL, enter it instead.'
      expect(await reasonOf(location.test(never()))).to.equal(reason)
      expect(await reasonOf(location.remove('a.tar.gz', never()))).to.equal(reason)
      expect(await Promise.race([reached, 'nobody asked'])).to.equal('nobody asked')
      await location.close()
      inside.close()
      elsewhere.close()
    })

    it('is not waited for when it wants to be left alone for an hour', async () => {
      answers = [{ status: 503, headers: { 'Retry-After': '3600' } }]
      expect(await reasonOf(send())).to.equal('WebDAV: The server responded with HTTP 503.')
      expect(puts).to.equal(1)
    })
  })
})
