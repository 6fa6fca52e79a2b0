/** No secret of the site lies readable on its disk or in an archive. */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { RestError } from 'pentad'
import webPush from 'web-push'
import { generateLicenseKeyPair, issueLicense } from '../../cms/license/index.ts'
import type { BackupLocation, UploadProgress } from '../../plugins/backup/types.ts'
import { createSubscriber } from '../pwa/push/subscriber.ts'
import { appCode } from '../support/authenticator-app.ts'
import { openSession } from '../support/session.ts'
import { type BackupSite, createBackupSite, unpack } from './backup-site.ts'

const EXTENSIONS = join(import.meta.dirname, '../../extensions')
const PURGES = ['webhook', 'cloudflare', 'fastly', 'varnish', 'akamai', 'bunny', 'keycdn'].map((cdn) => `${cdn}-purge`)

/** What the secrets with a form of their own look like, by name and key of the record. */
const FORMS: Readonly<Record<string, () => string>> = {
  'webhook-purge.secret': () => `whsec_${randomBytes(32).toString('base64')}`,
}
/** The addresses that secrets are bound to. */
const ADDRESSES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ai: { compatibleBaseUrl: 'http://127.0.0.1:9/v1' },
  backup: {
    s3Endpoint: 'http://127.0.0.1:9',
    s3AccessKey: 'somebody',
    sftpHost: '127.0.0.1',
    sftpUser: 'somebody',
    sftpHostFingerprint: `SHA256:${'A'.repeat(43)}`,
    webdavUrl: 'http://127.0.0.1:9/dav',
    webdavUser: 'somebody',
  },
}

describe('Every secret of a site', () => {
  const { privateKey, publicKey } = generateLicenseKeyPair()
  const secrets = new Map<string, string>()
  let site: BackupSite
  let session: string
  let vapid: webPush.VapidKeys
  /** What was readable in the middle of an upload. */
  let duringUpload: string[]
  const discarded: unknown[] = []

  /** Texts in which a secret would be readable. */
  const spellings = (secret: string) => {
    const bytes = Buffer.from(secret)
    return [secret, bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url'), bytes.toString('hex')]
  }
  /** `name: file` for each secret that a file of a folder holds. */
  async function readable(folder: string): Promise<string[]> {
    const found: string[] = []
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      const bytes = await readFile(path).catch(() => Buffer.alloc(0))
      for (const [name, secret] of secrets) {
        if (spellings(secret).some((text) => bytes.includes(text))) found.push(`${name}: ${path.slice(folder.length)}`)
      }
    }
    return found
  }

  /** Keeps the address of a session, as Google Drive does, and fails for good after that. */
  const forgetful: BackupLocation = {
    id: 'forgetful',
    title: 'Forgetful',
    test: async () => {},
    async upload(_file, { keep }: UploadProgress) {
      await keep({ session })
      duringUpload = await readable(site.dir)
      throw new RestError('backup_location_failed', 'It is away.', { status: 502 })
    },
    discard: (_file, state) => {
      discarded.push(state)
      throw new RestError('backup_location_failed', 'It is away.', { status: 502 })
    },
    download: () => Promise.reject(new Error('It is away.')),
    remove: async () => {},
    list: async () => [],
    close: async () => {},
  }

  before(async () => {
    site = await createBackupSite({
      services: true,
      extensions: PURGES.map((id) => join(EXTENSIONS, id)),
      config: { licensePublicKey: publicKey },
    })
    const { auth, hooks, settings } = site.host
    for (const name of settings.names()) {
      const record = settings.get(name)
      const properties = Object(record?.jsonSchema().properties)
      const keys = Object.keys(properties).filter((key) => properties[key].secret === true)
      if (!record || keys.length === 0) continue
      const values = keys.map((key): [string, string] => {
        const secret = FORMS[`${name}.${key}`]?.() ?? `secret-${randomBytes(24).toString('hex')}`
        secrets.set(`${name}.${key}`, secret)
        return [key, secret]
      })
      await record.update({ ...ADDRESSES[name], ...Object.fromEntries(values) })
    }
    const license = issueLicense({ licensee: 'Ann', plan: 'pro' }, privateKey)
    secrets.set('license', license)
    expect(await site.host.license.set(license)).to.include({ active: true })
    vapid = webPush.generateVAPIDKeys()
    secrets.set('VAPID', vapid.privateKey)
    await mkdir(join(site.dir, 'pwa'), { recursive: true })
    await writeFile(join(site.dir, 'pwa/vapid.json'), JSON.stringify(vapid))
    const owner = await auth.users.getByLogin('owner')
    if (!owner) throw new Error('There is no owner.')
    secrets.set('password', 'correct horse battery')
    secrets.set(
      'application password',
      (await auth.applicationPasswords.create(owner.id, 'app')).password.replaceAll(' ', ''),
    )
    const { twoFactor } = site.host
    const { secret } = twoFactor.prepare(owner)
    secrets.set('authenticator app', secret)
    const [code = ''] = await twoFactor.enable(owner, secret, appCode(secret, Date.now()))
    secrets.set('recovery code', code.replaceAll('-', ''))
    const { Cookie: cookie = '' } = { ...(await openSession(auth, owner)) }
    secrets.set('session', cookie.slice(cookie.indexOf('=') + 1).split(';')[0] ?? '')
    session = `https://upload.example/session/${randomBytes(24).toString('hex')}`
    secrets.set('address of an upload', session)
    hooks.addFilter('backup_locations', (locations) => [
      ...locations,
      { id: 'forgetful', title: 'Forgetful', isConfigured: () => true, open: async () => forgetful },
    ])
    // The key is encrypted by then.
    await site.reload('pwa')
    const { subscription } = createSubscriber(`https://push.example.com/${randomBytes(24).toString('hex')}`)
    const added = await site.request('/wp-json/pwa/v1/push-subscription/add', { method: 'POST', body: subscription })
    expect(added.status).to.equal(201)
    secrets.set('endpoint of a subscription', subscription.endpoint)
    secrets.set('key of a subscription', subscription.keys.auth)
  })
  after(() => site.close())

  it('is among the secrets that are searched for', () => {
    expect([...secrets.keys()]).to.include.members([
      'ai.openaiApiKey',
      'backup.s3SecretKey',
      'backup.sftpPrivateKey',
      'backup.webdavPassword',
      'backup.googleDriveRefreshToken',
      'webhook-purge.secret',
      'cloudflare-purge.apiToken',
      'akamai-purge.clientSecret',
      'bunny-purge.apiKey',
      'keycdn-purge.apiKey',
    ])
    for (const [name, secret] of secrets) expect(secret.length, name).to.be.greaterThan(15)
  })

  it('would be found: plain, in base64 and in hexadecimal digits', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pentad-plain-'))
    const [text = '', base64 = '', base64url = '', hex = ''] = spellings(vapid.privateKey)
    for (const [name, content] of Object.entries({ text, base64, base64url, hex })) {
      await writeFile(join(folder, name), `before ${content} after`)
    }
    expect(await readable(folder)).to.have.members(
      ['text', 'base64', 'base64url', 'hex'].map((name) => `VAPID: /${name}`),
    )
    await rm(folder, { recursive: true })
  })

  it('is readable nowhere in the site folder, nor in the database, nor in an archive', async () => {
    const { state } = await site.ended(await site.create())
    expect(state).to.equal('complete')
    const folder = await mkdtemp(join(tmpdir(), 'pentad-unpacked-'))
    const [record] = await site.records()
    const names = await unpack(join(site.dir, 'backups', record?.fileName ?? ''), folder)
    expect(names).to.include('files/pwa/vapid.json').and.include('files/options.json')
    expect(await readable(folder)).to.deep.equal([])
    expect(await readable(site.dir)).to.deep.equal([])
    await rm(folder, { recursive: true })
  })

  it('is not readable during an upload either, nor in what is remembered of one that failed', async () => {
    const jobId = await site.create({ location: 'forgetful' })
    expect(await site.ended(jobId)).to.include({ state: 'complete' })
    expect(duringUpload).to.deep.equal([])
    expect(await readdir(join(site.dir, 'backups/leftovers'))).to.have.lengthOf(1)
    expect(discarded, 'it comes back as it was kept').to.deep.include({ session })
    expect(await readable(site.dir)).to.deep.equal([])
  })

  it('of a restore is known to who began it only', async () => {
    const [record] = await site.records()
    const { data } = await site.call('POST', '/restore/start', { backupId: record?.id, parts: ['uploads'] })
    for (const name of ['reloginToken', 'progressToken']) secrets.set(name, String(data[name]))
    expect(await readable(site.dir)).to.deep.equal([])
  })
})
