import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../../support/site-folder.ts'
import { MEBIBYTE, makeArchive, never, recordProgress, sumOfDownload } from './archive.ts'
import { behavesAsLocation, openLocation, reasonOf } from './behavior.ts'
import { type SftpServer, startSftp } from './servers.ts'

describe('backup location sftp', () => {
  let server: SftpServer
  before(async () => {
    server = await startSftp()
  })
  after(() => server.stop())

  const open = (wrong = {}) => openLocation({ id: 'sftp', settings: { ...server.settings(), ...wrong } })

  behavesAsLocation({
    port: () => server.port,
    reach: (port) => ({ id: 'sftp', settings: server.settings(port) }),
    resumes: true,
    lossBytes: 4 * MEBIBYTE,
  })

  describe('going on with half an archive', () => {
    const interrupted = async (name: string) => {
      const location = await open()
      const file = { ...(await makeArchive(10)), name }
      const stop = new AbortController()
      const progress = recordProgress(stop.signal)
      await location
        .upload(file, { ...progress, sent: (bytes) => bytes > 5 * MEBIBYTE && stop.abort() })
        .catch(() => {})
      return { location, file, kept: progress.kept, partial: join(server.folder, `${name}.part`) }
    }

    it('never believes more than the server confirmed', async () => {
      const { location, file, kept, partial } = await interrupted('tail.tar.gz')
      // As a server that wrote out of order would leave it.
      appendFileSync(partial, Buffer.alloc(MEBIBYTE))
      await location.upload(file, recordProgress(never(), kept))
      expect(await sumOfDownload(location, file.name)).to.equal(file.sha256)
    })

    it('resumes from the stored size if the server lost the end', async () => {
      const { location, file, kept, partial } = await interrupted('short.tar.gz')
      truncateSync(partial, 5 * MEBIBYTE + 1)
      const progress = recordProgress(never(), kept)
      await location.upload(file, progress)
      expect(progress.numbers[0]).to.equal(5 * MEBIBYTE + 1)
      expect(await sumOfDownload(location, file.name)).to.equal(file.sha256)
    })

    it('restarts if the partial file at the location differs', async () => {
      const { location, file, kept, partial } = await interrupted('other.tar.gz')
      writeFileSync(partial, Buffer.alloc(statSync(partial).size))
      const progress = recordProgress(never(), kept)
      await location.upload(file, progress)
      expect(progress.numbers[0]).to.equal(0)
      expect(await sumOfDownload(location, file.name)).to.equal(file.sha256)
    })

    it('leaves nothing behind when it is discarded, and makes archives readable only by the owner', async () => {
      const { location, file, kept, partial } = await interrupted('discarded.tar.gz')
      expect(statSync(partial).mode & 0o777).to.equal(0o600)
      await location.discard(file, kept, never())
      expect(existsSync(partial)).to.equal(false)
    })

    after(() => {
      expect(readdirSync(server.folder).filter((name) => name.endsWith('.part'))).to.deep.equal([])
    })
  })

  it('says the fingerprint of a server that is not known yet', async () => {
    const location = await open({ sftpHostFingerprint: '' })
    expect(await reasonOf(location.test(never()))).to.equal(
      `SFTP: The server's host key is not verified yet. If the fingerprint ${server.fingerprint} is correct, enter it in the settings.`,
    )
  })

  it('sends no archive and no password to a server with another key', async () => {
    const location = await open({ sftpHostFingerprint: `SHA256:${'A'.repeat(43)}` })
    const reason = await reasonOf(location.upload(await makeArchive(0), recordProgress()))
    expect(reason).to.match(/host key does not match the saved fingerprint; it is SHA256:/)
  })

  it('says that the password is wrong, the key unreadable, or the folder not allowed', async () => {
    const cases = [
      [{ sftpPrivateKey: '', sftpPassword: 'wrong' }, 'SFTP: The username, password, or private key is incorrect.'],
      [
        { sftpPrivateKey: 'no key', sftpPassword: 'wrong' },
        'SFTP: The private key cannot be read, or its passphrase is wrong.',
      ],
      [
        { sftpPath: `${server.folder}/../config/below` },
        'SFTP: The folder could not be created, or the path is not a folder.',
      ],
    ] as const
    for (const [wrong, expected] of cases) {
      expect(await reasonOf((await open(wrong)).test(never()))).to.equal(expected)
    }
  })

  it('takes a private key with a passphrase', async () => {
    const key = join(temporaryFolder(), 'key')
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'a passphrase', '-f', key])
    appendFileSync(join(server.folder, '..', 'authorized'), readFileSync(`${key}.pub`))
    const location = await open({ sftpPrivateKey: readFileSync(key, 'utf8'), sftpPassword: 'a passphrase' })
    await location.test(never())
  })
})
