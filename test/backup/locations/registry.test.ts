import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { expect } from 'chai'
import { RestError } from 'pentad'
import { z } from 'zod'
import { createHooks } from '../../../core/hooks/index.ts'
import { createLocations } from '../../../plugins/backup/locations/index.ts'
import { createLocalLocation } from '../../../plugins/backup/locations/local.ts'
import { type LocationSettings, locationSettings } from '../../../plugins/backup/locations/settings.ts'
import { temporaryFolder } from '../../support/site-folder.ts'
import { never } from './archive.ts'
import { openLocation, reasonOf } from './behaviour.ts'

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

  it('say when there is none of a name, or when it is not set up', async () => {
    for (const [id, code, status] of [
      ['floppy', 'rest_invalid_param', 400],
      ['s3', 'backup_location_failed', 502],
    ] as const) {
      let error: unknown
      await locations.open(id).catch((thrown: unknown) => {
        error = thrown
      })
      if (!(error instanceof RestError)) throw new Error('It did not refuse.')
      expect([error.code, error.status]).to.deep.equal([code, status])
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

  it('trust no certificate that nobody vouches for', async () => {
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
    const url = `https://127.0.0.1:${address.port}`
    const google = { api: url, token: `${url}/token` }
    const reached = [
      { id: 'webdav', settings: { webdavUrl: url } },
      { id: 's3', settings: { s3Endpoint: url, s3Bucket: 'b', s3AccessKey: 'k', s3SecretKey: 's' } },
      {
        id: 'googleDrive',
        settings: { googleDriveClientId: 'c', googleDriveClientSecret: 's', googleDriveRefreshToken: 't' },
        google,
      },
    ]
    for (const one of reached) {
      const location = await openLocation({ ...one, settings: { ...one.settings, s3PathStyle: 'on' } })
      expect(await reasonOf(location.test(never())), one.id).to.match(/certificate of the server is not valid/)
    }
    expect(requests).to.equal(0)
    server.close()
  })
})
