import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { expect } from 'chai'
import { RestError } from 'pentad'
import { z } from 'zod'
import { createHooks } from '../../../core/hooks/index.ts'
import { createLocations } from '../../../plugins/backup/locations/index.ts'
import { createLocalLocation } from '../../../plugins/backup/locations/local.ts'
import { type LocationSettings, locationSettings } from '../../../plugins/backup/locations/settings.ts'
import { temporaryFolder } from '../../support/site-folder.ts'
import { never } from './archive.ts'
import { openLocation, type Reached, reasonOf } from './behavior.ts'

describe('locations of the backup service', () => {
  const hooks = createHooks()
  const siteDir = temporaryFolder()
  let settings: Partial<LocationSettings> = {}
  const locations = createLocations({ siteDir, settings: () => locationSettings.parse(settings), hooks })
  const configured = () =>
    locations
      .list()
      .filter((location) => location.isConfigured())
      .map(({ id }) => id)

  it('are the five of the contract, of which local needs no setting up', () => {
    expect(locations.list().map(({ id }) => id)).to.have.members(['local', 'googleDrive', 'webdav', 's3', 'sftp'])
    expect(configured()).to.deep.equal(['local'])
  })

  it('are set up once the owner has entered what each needs', () => {
    settings = {
      webdavUrl: 'https://nas.example.org/backups',
      s3Bucket: 'b',
      s3AccessKey: 'k',
      s3SecretKey: 's',
      sftpHost: 'nas.example.org',
      sftpUser: 'anna',
      sftpPrivateKey: 'key',
      googleDriveClientId: 'c',
      googleDriveClientSecret: 's',
      googleDriveRefreshToken: 't',
    }
    expect(configured()).to.have.members(['local', 'googleDrive', 'webdav', 's3', 'sftp'])
    settings = {}
    expect(configured()).to.deep.equal(['local'])
  })

  it('report unknown locations, and those that are not configured', async () => {
    for (const [id, reason] of [
      ['floppy', 'floppy: This storage location does not exist.'],
      ['s3', 'S3: This storage location is not configured.'],
    ] as const) {
      expect(await reasonOf(locations.open(id))).to.equal(reason)
    }
  })

  it('can be added and replaced by an extension while it is there', async () => {
    const folder = temporaryFolder()
    const tape = {
      id: 'tape',
      title: 'Tape',
      isConfigured: () => true,
      open: async () => createLocalLocation(folder),
    }
    const undo = hooks.addFilter('backup_locations', (known) => [...known, tape, { ...tape, id: 'sftp' }])
    expect(configured()).to.have.members(['local', 'tape', 'sftp'])
    expect(locations.list()).to.have.length(6)
    await (await locations.open('tape')).test(never())
    undo()
    expect(locations.find('tape')).to.equal(undefined)
  })

  it('describe their settings: a title and a group each, and which are secret', () => {
    const { properties } = z.toJSONSchema(locationSettings)
    const secrets: string[] = []
    for (const [key, shown] of Object.entries(properties ?? {})) {
      expect(shown, key).to.have.property('title')
      expect(shown, key).to.have.property('group')
      if (typeof shown === 'object' && shown.secret === true) secrets.push(key)
    }
    expect(secrets).to.have.members([
      'webdavPassword',
      's3SecretKey',
      'sftpPassword',
      'sftpPrivateKey',
      'googleDriveClientSecret',
      'googleDriveRefreshToken',
    ])
  })

  it('take no address with a password in it, and none that is no web address', () => {
    for (const url of ['https://anna:secret@nas.example.org/', 'file:///etc', 'nas', 'ftp://nas.example.org']) {
      expect(locationSettings.safeParse({ webdavUrl: url }).success, url).to.equal(false)
      expect(locationSettings.safeParse({ s3Endpoint: url }).success, url).to.equal(false)
    }
    expect(locationSettings.safeParse({ webdavUrl: 'http://192.168.1.2:8080/dav' }).success).to.equal(true)
    expect(locationSettings.safeParse({ sftpHostFingerprint: 'MD5:aa:bb' }).success).to.equal(false)
  })

  it('say so when what answers speaks another protocol, and give away no secret', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {}).once('data', () => socket.end('530 Log in first.\r\n'))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The server has no port.')
    for (const one of withSecrets(address.port, 'http')) {
      const location = await openLocation(one)
      const error: unknown = await location.test(never()).catch((thrown: unknown) => thrown)
      expect(error, one.id).to.be.instanceOf(RestError)
      expect(inspect(error), one.id).to.match(/: The (?:server sent an invalid response|connection was lost)\./)
      expect(inspect(error, { depth: 20, showHidden: true }), one.id).to.not.match(/do-not-tell|YW5uYTpkby1ub3Q/)
      await location.close()
    }
    server.close()
  })

  it('reject certificates from unknown authorities', async () => {
    const folder = temporaryFolder()
    const [key, cert] = [join(folder, 'key'), join(folder, 'cert')]
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    execFileSync('openssl', [...request, '-subj', '/CN=127.0.0.1', '-keyout', key, '-out', cert], { stdio: 'ignore' })
    let requests = 0
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) => {
      requests += 1
      response.end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The server has no port.')
    for (const one of withSecrets(address.port, 'https').filter(({ id }) => id !== 'sftp')) {
      const location = await openLocation(one)
      expect(await reasonOf(location.test(never())), one.id).to.match(/server's certificate is not valid/)
    }
    expect(requests).to.equal(0)
    server.close()
  })
})

/** All but local, at a port of this machine, with a secret each. */
function withSecrets(port: number, scheme: 'http' | 'https'): Reached[] {
  const url = `${scheme}://127.0.0.1:${port}`
  const secret = 'do-not-tell'
  return [
    { id: 'webdav', settings: { webdavUrl: url, webdavUser: 'anna', webdavPassword: secret } },
    {
      id: 's3',
      settings: { s3Endpoint: url, s3Bucket: 'b', s3AccessKey: 'k', s3SecretKey: secret, s3PathStyle: 'on' },
    },
    {
      id: 'sftp',
      settings: { sftpHost: '127.0.0.1', sftpPort: port, sftpUser: 'anna', sftpPassword: secret },
    },
    {
      id: 'googleDrive',
      settings: { googleDriveClientId: 'c', googleDriveClientSecret: secret, googleDriveRefreshToken: secret },
      google: { api: url, token: `${url}/token` },
    },
  ]
}
