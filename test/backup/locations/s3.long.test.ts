import { join } from 'node:path'
import { expect } from 'chai'
import { MEBIBYTE, makeArchive, never, recordProgress, sumOfDownload } from './archive.ts'
import { behavesAsLocation, openLocation, reasonOf } from './behavior.ts'
import { openProxy } from './proxy.ts'
import { foldersIn } from './s3-parts.ts'
import { BUCKET, type S3Server, startS3 } from './servers.ts'

describe('backup location s3', () => {
  let server: S3Server
  before(async () => {
    server = await startS3()
  })
  after(() => server.stop())

  const reach = (port?: number) => ({ id: 's3', settings: server.settings(port) })
  const uploadsUnderWay = () => foldersIn(join(server.folder, BUCKET, '._S3rver_uploads'))

  // Two parts of 8 MiB are under way at once.
  behavesAsLocation({ port: () => server.port, reach, resumes: true, lossBytes: 16 * MEBIBYTE })

  describe('multipart uploads', () => {
    const interrupted = async (name: string) => {
      const proxy = await openProxy(server.port)
      const location = await openLocation(reach(proxy.port))
      const file = { ...(await makeArchive(17)), name }
      const stop = new AbortController()
      const progress = recordProgress(stop.signal)
      const upload = location.upload(file, { ...progress, sent: (bytes) => bytes > 0 && stop.abort() })
      await upload.catch(() => {})
      await location.close()
      await proxy.close()
      return { file, kept: progress.kept }
    }

    it('leaves no part behind when an upload is discarded', async () => {
      const { file, kept } = await interrupted('discarded.tar.gz')
      expect(uploadsUnderWay()).to.have.length(1)
      const location = await openLocation(reach())
      await location.discard(file, kept, never())
      expect(uploadsUnderWay()).to.deep.equal([])
      await location.close()
    })

    it('ends an upload whose id was lost in a crash, and only that one', async () => {
      const { file } = await interrupted('lost.tar.gz')
      const other = await interrupted('other.tar.gz')
      const location = await openLocation(reach())
      await location.upload(file, recordProgress())
      expect(uploadsUnderWay()).to.have.length(1)
      await location.discard(other.file, other.kept, never())
      expect(uploadsUnderWay()).to.deep.equal([])
      await location.close()
    })

    it('restarts if the service has discarded the upload', async () => {
      const { file, kept } = await interrupted('thrown-away.tar.gz')
      const location = await openLocation(reach())
      await location.discard(file, kept, never())
      await location.upload(file, recordProgress(never(), kept))
      expect(await sumOfDownload(location, file.name)).to.equal(file.sha256)
      await location.close()
    })

    it('does not mix in parts of another archive of the same name', async () => {
      const { file, kept } = await interrupted('changed.tar.gz')
      const changed = { ...(await makeArchive(17)), name: file.name }
      const location = await openLocation(reach())
      await location.upload(changed, recordProgress(never(), kept))
      expect(await sumOfDownload(location, changed.name)).to.equal(changed.sha256)
      await location.close()
    })
  })

  it('says that there is no such bucket, or that the access key is wrong', async () => {
    const cases = [
      [{ s3Bucket: 'nowhere' }, 'S3: The bucket does not exist.'],
      [{ s3AccessKey: 'UNKNOWN' }, 'S3: The access key does not exist.'],
    ] as const
    for (const [wrong, reason] of cases) {
      const location = await openLocation({ id: 's3', settings: { ...server.settings(), ...wrong } })
      expect(await reasonOf(location.test(never()))).to.equal(reason)
      expect(await reasonOf(location.upload(await makeArchive(0), recordProgress()))).to.equal(reason)
      await location.close()
    }
  })

  it('says at once what no second try would change', async () => {
    const cases = [
      [403, 'SignatureDoesNotMatch', 'S3: The secret key is incorrect.'],
      [403, 'AccessDenied', 'S3: The access key lacks permission for the bucket.'],
      [301, 'PermanentRedirect', 'S3: The bucket is in another region.'],
      [403, 'RequestTimeTooSkewed', 'S3: The clock of this server is wrong.'],
      [507, 'XMinioStorageFull', 'S3: There is no space left on the server.'],
      [403, 'SomethingNew', 'S3: The server denied access (HTTP 403).'],
    ] as const
    const location = await openLocation(reach())
    const file = await makeArchive(0)
    for (const [status, code, reason] of cases) {
      server.refuse('PUT', status, code)
      const progress = recordProgress()
      expect(await reasonOf(location.upload(file, progress))).to.equal(reason)
      await location.discard(file, progress.kept, never())
    }
    expect(uploadsUnderWay()).to.deep.equal([])
    await location.close()
  })

  it('tries again when the service is busy or ill', async () => {
    const location = await openLocation(reach())
    for (const [method, status, code] of [
      ['PUT', 503, 'SlowDown'],
      ['PUT', 500, 'InternalError'],
      ['POST', 503, 'ServiceUnavailable'],
      ['HEAD', 502, 'BadGateway'],
    ] as const) {
      const file = await makeArchive(9)
      server.refuse(method, status, code, 3)
      await location.upload(file, recordProgress())
      expect(await sumOfDownload(location, file.name)).to.equal(file.sha256)
      await location.remove(file.name, never())
    }
    await location.close()
  })
})
