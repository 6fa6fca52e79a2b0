import { expect } from 'chai'
import { MEBIBYTE, makeArchive, never, recordProgress, sumOfDownload } from './archive.ts'
import { behavesAsLocation, openLocation, reasonOf } from './behavior.ts'
import { GOOGLE_SETTINGS, type GoogleDriveServer, startGoogleDrive } from './google-drive-server.ts'

describe('backup location googleDrive', () => {
  let server: GoogleDriveServer
  const reach = (port: number, settings = GOOGLE_SETTINGS) => ({
    id: 'googleDrive',
    settings,
    google: { api: `http://127.0.0.1:${port}`, token: `http://127.0.0.1:${port}/token` },
  })
  before(async () => {
    server = await startGoogleDrive()
  })
  after(() => server.stop())

  behavesAsLocation({ port: () => server.port, reach, resumes: true, lossBytes: 8 * MEBIBYTE })

  describe('the resumable upload protocol', () => {
    const open = (settings = GOOGLE_SETTINGS) => openLocation(reach(server.port, settings))
    const chunksSince = (first: number) =>
      server.requests.slice(first).filter(({ range }) => /^bytes \d/.test(range ?? ''))
    const CHUNK = /^PUT \/upload\/session/

    it('sends chunks of whole quarters of a mebibyte into a folder of its own', async () => {
      const first = server.requests.length
      const location = await open()
      const file = await makeArchive(20)
      await location.upload(file, recordProgress())
      expect(chunksSince(first).map(({ range }) => range)).to.deep.equal([
        `bytes 0-8388607/${file.size}`,
        `bytes 8388608-16777215/${file.size}`,
        `bytes 16777216-${file.size - 1}/${file.size}`,
      ])
      const folder = server.files.find(({ name }) => name === "Anna's backups")
      expect(server.files.find(({ name }) => name === file.name)?.parents).to.deep.equal([folder?.id])
      await (await open()).upload(await makeArchive(0), recordProgress())
      expect(server.files.filter(({ name }) => name === "Anna's backups")).to.have.length(1)
    })

    it('continues at the offset of a 308, even if the server stored less than was sent', async () => {
      const first = server.requests.length
      const location = await open()
      const file = await makeArchive(10)
      server.takeOnly(3 * MEBIBYTE)
      await location.upload(file, recordProgress())
      expect(chunksSince(first)[1]?.range).to.match(/^bytes 3145728-/)
      expect(await sumOfDownload(location, file.name)).to.equal(file.sha256)
    })

    it('stores the session URL for the next process, and never exposes it', async () => {
      const location = await open()
      const file = await makeArchive(1)
      const progress = recordProgress()
      server.refuse(CHUNK, { status: 403, reason: 'storageQuotaExceeded' }, 2)
      const reason = await reasonOf(location.upload(file, progress))
      expect(progress.kept)
        .to.have.property('session')
        .that.matches(/\/upload\/session\//)
      expect(reason).to.not.match(/session|127\.0\.0\.1/)
      await location.upload(file, recordProgress(never(), progress.kept))
    })

    it('gets a new access token when the old one is refused (401)', async () => {
      const location = await open()
      const file = await makeArchive(20)
      const before = server.refreshes
      await location.upload(file, {
        ...recordProgress(),
        sent: (bytes) => bytes === 8 * MEBIBYTE && server.expireTokens(),
      })
      expect(server.refreshes).to.equal(before + 2)
      expect(await sumOfDownload(location, file.name)).to.equal(file.sha256)
    })

    it('says at once that there is no room left (403 storageQuotaExceeded)', async () => {
      const first = server.requests.length
      server.refuse(CHUNK, { status: 403, reason: 'storageQuotaExceeded' }, 2)
      const reason = await reasonOf((await open()).upload(await makeArchive(1), recordProgress()))
      expect(reason).to.equal('Google Drive: Google Drive is full.')
      // The library asks once more with a fresh token.
      expect(chunksSince(first).length).to.be.at.most(2)
    })

    it('waits and tries again when it is too fast (403 rateLimitExceeded, 429) and when Google is ill (5xx)', async () => {
      const location = await open()
      const file = await makeArchive(20)
      server.refuse(CHUNK, { status: 403, reason: 'rateLimitExceeded' }, 4)
      server.refuse(CHUNK, { status: 429, reason: 'rateLimitExceeded', headers: { 'Retry-After': '0' } })
      server.refuse(CHUNK, { status: 503 }, 2)
      await location.upload(file, recordProgress())
      expect(await sumOfDownload(location, file.name)).to.equal(file.sha256)
    })

    it('asks what has arrived after a 5xx, and does not send it again', async () => {
      const location = await open()
      const file = await makeArchive(20)
      const first = server.requests.length
      let isRefused = false
      await location.upload(file, {
        ...recordProgress(),
        sent(bytes) {
          if (bytes !== 8 * MEBIBYTE || isRefused) return
          isRefused = true
          server.refuse(CHUNK, { status: 500 })
        },
      })
      const starts = chunksSince(first).map(({ range }) => /^bytes (\d+)-/.exec(range ?? '')?.[1])
      expect(starts).to.deep.equal(['0', '8388608', '8388608', '16777216'])
      expect(server.requests.slice(first).some(({ range }) => range === `bytes */${file.size}`)).to.equal(true)
    })

    it('restarts if the session has expired (404, 410)', async () => {
      for (const end of [() => server.expireSessions(), () => server.refuse(CHUNK, { status: 410 })]) {
        const location = await open()
        const file = await makeArchive(9)
        let isGone = false
        await location.upload(file, {
          ...recordProgress(),
          sent(bytes) {
            if (bytes !== 8 * MEBIBYTE || isGone) return
            isGone = true
            end()
          },
        })
        expect(await sumOfDownload(location, file.name)).to.equal(file.sha256)
      }
    })

    it('sends again what arrived damaged, and removes it', async () => {
      const location = await open()
      const file = await makeArchive(1)
      server.damageNext()
      await location.upload(file, recordProgress())
      expect(await sumOfDownload(location, file.name)).to.equal(file.sha256)
      expect(server.files.filter(({ name }) => name === file.name)).to.have.length(1)
    })

    it('says that the owner took the permission back, or that the client is wrong', async () => {
      const wrong = await open({ ...GOOGLE_SETTINGS, googleDriveClientSecret: 'wrong' })
      expect(await reasonOf(wrong.test(never()))).to.equal('Google Drive: The client ID or client secret is incorrect.')
      server.revoke()
      expect(await reasonOf((await open()).test(never()))).to.equal(
        'Google Drive: The refresh token is no longer valid. Reconnect the account.',
      )
    })
  })
})
