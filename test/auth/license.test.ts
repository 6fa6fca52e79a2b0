import { createPublicKey, sign } from 'node:crypto'
import { expect } from 'chai'
import { generateLicenseKeyPair, issueLicense } from '../../cms/license/index.ts'
import type { LicenseStatus } from '../../cms/license/types.ts'
import { createTestSite, request, type TestSite, URL_OF_SITE } from './site.ts'

const HOUR = 60 * 60 * 1000
const { privateKey, publicKey } = generateLicenseKeyPair()
const issue = (more: { site?: string; expires?: string } = {}) =>
  issueLicense({ licensee: 'Ann', plan: 'pro', ...more }, privateKey)
const pem = createPublicKey(privateKey).export({ format: 'pem', type: 'spki' }).toString()

/** Another last character of the same length. */
const altered = (text: string) => text.slice(0, -3) + (text.endsWith('AAA') ? 'BBB' : 'AAA')
/** The same bytes in another spelling: the last character's unused bits are set. */
function respelled(text: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return text.slice(0, -1) + letters[letters.indexOf(text.slice(-1)) + 1]
}
const signedAs = (body: string) => `${body}.${sign(null, Buffer.from(body), privateKey).toString('base64url')}`
const encode = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64url')

describe('the license', () => {
  let site: TestSite | undefined
  const open = async (config: { licenseKey?: string; licensePublicKey?: string } = { licensePublicKey: publicKey }) => {
    site = await createTestSite(undefined, config)
    return site
  }
  afterEach(async () => {
    await site?.close()
    site = undefined
  })

  it('is missing at first', async () => {
    const { license } = await open()
    expect(license.status()).to.deep.equal({
      active: false,
      plan: null,
      licensee: null,
      expires: null,
      reason: 'missing',
    })
  })
  it('is active with a genuine key, and stays after a restart', async () => {
    const { license, another } = await open()
    const status = await license.set(issue({ site: URL_OF_SITE, expires: '2027-01-01T00:00:00Z' }))
    expect(status).to.deep.equal({
      active: true,
      plan: 'pro',
      licensee: 'Ann',
      expires: '2027-01-01T00:00:00Z',
      reason: null,
    })
    const second = await another()
    expect(second.license.active).to.equal(true)
    await second.close()
  })
  it('is stored encrypted; a key that an earlier version stored as it is gets encrypted at the next start', async () => {
    const { options, another, license } = await open()
    const stored = () => JSON.stringify(options.get('host_license'))
    await license.set(issue())
    expect(stored()).to.contain('$sealed').and.not.contain(issue())
    await options.update('host_license', issue())
    const second = await another()
    expect(second.license.active).to.equal(true)
    expect(JSON.stringify(options.get('host_license')))
      .to.contain('$sealed')
      .and.not.contain(issue())
    await second.close()
  })
  for (const [form, licensePublicKey] of [
    ['a PEM', pem],
    ['a PEM on one line', pem.replaceAll('\n', '\\n')],
    ['base64url', publicKey],
  ] as const) {
    it(`takes the public key as ${form}`, async () => {
      const { license } = await open({ licensePublicKey, licenseKey: issue() })
      expect(license.active).to.equal(true)
    })
  }
  it('takes the configuration’s key where none is set, and comes back to it when that is removed', async () => {
    const { license } = await open({ licensePublicKey: publicKey, licenseKey: issue() })
    expect((await license.set('nonsense')).reason).to.equal('malformed')
    expect((await license.remove()).active).to.equal(true)
  })

  const [payload = '', signature = ''] = issue().split('.')
  const other = generateLicenseKeyPair()
  const inactive: [what: string, key: string, reason: string][] = [
    ['what is no key', 'nonsense', 'malformed'],
    ['an empty part', `${payload}.`, 'malformed'],
    ['a third part', `${payload}.${signature}.x`, 'malformed'],
    ['characters that base64url does not have', `${payload}=.${signature}`, 'malformed'],
    ['a huge text', 'a'.repeat(9000), 'malformed'],
    ['an altered signature', `${payload}.${altered(signature)}`, 'invalid_signature'],
    ['another spelling of the signature', `${payload}.${respelled(signature)}`, 'malformed'],
    ['another spelling of the payload', signedAs(respelled(payload)), 'malformed'],
    ['an altered payload', `${encode({ licensee: 'Eve', plan: 'pro' })}.${signature}`, 'invalid_signature'],
    ['a key of somebody else', issueLicense({ licensee: 'Eve', plan: 'pro' }, other.privateKey), 'invalid_signature'],
    ['a key for another site', issue({ site: 'https://other.example' }), 'foreign_site'],
    ['a key for another port', issue({ site: `${URL_OF_SITE}:8080` }), 'foreign_site'],
    ['an expired key', issue({ expires: '2026-11-21T05:59:59Z' }), 'expired'],
  ]
  for (const [what, key, reason] of inactive) {
    it(`is inactive with ${what}`, async () => {
      const { license } = await open()
      const status = await license.set(key)
      expect([status.active, status.reason]).to.deep.equal([false, reason])
      expect(license.active).to.equal(false)
    })
  }
  it('is inactive without a usable public key', async () => {
    for (const licensePublicKey of [
      undefined,
      'short',
      '-----BEGIN PUBLIC KEY-----\nnonsense\n-----END PUBLIC KEY-----',
    ]) {
      const { license, close } = await open({ licenseKey: issue(), ...(licensePublicKey && { licensePublicKey }) })
      expect(license.status().reason).to.equal('no_public_key')
      await close()
    }
    site = undefined
  })
  it('ends by itself when it expires', async () => {
    const { clock, license } = await open()
    await license.set(issue({ expires: new Date(clock.now + HOUR).toISOString() }))
    clock.now += HOUR - 1
    expect(license.active).to.equal(true)
    clock.now += 1
    expect([license.active, license.status().reason]).to.deep.equal([false, 'expired'])
  })
  it('fires an action for every change, including those of other processes, and for nothing else', async () => {
    const { hooks, license, options } = await open()
    const seen: LicenseStatus[] = []
    hooks.addAction('license_changed', (status) => void seen.push(status))
    await license.set(issue())
    await license.set(issue())
    await options.update('something_else', 1)
    await license.remove()
    await options.update('host_license', issue({ expires: '2020-01-01' }))
    expect(seen.map(({ active, reason }) => [active, reason])).to.deep.equal([
      [true, null],
      [false, 'missing'],
      [false, 'expired'],
    ])
  })
  it('fires an action when it expires', async () => {
    const now = Date.now()
    const { clock, hooks, license } = await open()
    clock.now = now
    const over = new Promise<LicenseStatus>((resolve) => {
      hooks.addAction('license_changed', (status) => {
        if (!status.active) resolve(status)
      })
    })
    await license.set(issue({ expires: new Date(now + 50).toISOString() }))
    clock.now = now + 50
    expect((await over).reason).to.equal('expired')
  })
  it('refuses to issue what would be no license', () => {
    expect(() => issue({ site: 'not a site' })).to.throw(/site/)
    expect(() => issue({ expires: 'tomorrow' })).to.throw(/expires/)
    expect(() => issueLicense({ licensee: '', plan: 'pro' }, privateKey)).to.throw(/licensee/)
    expect(() => issueLicense({ licensee: 'Ann', plan: 'pro' }, 'no key')).to.throw(/private key/)
  })

  describe('over REST', () => {
    it('is read, set and removed with manage_options, and the key is never answered', async () => {
      const { addUser, basic, http } = await open()
      const admin = await basic(await addUser('admin', 'administrator'))
      const key = issue()
      const path = '/wp-json/host/v1/license'
      const set = await request(http)
        .put(path)
        .set('Authorization', admin)
        .send({ key: ` ${key}\n` })
      expect(set.status).to.equal(200)
      expect(set.body).to.deep.equal({
        status: 'success',
        data: { active: true, plan: 'pro', licensee: 'Ann', expires: null, reason: null },
      })
      const read = await request(http).get(path).set('Authorization', admin)
      expect(read.body).to.deep.equal(set.body)
      expect(read.text + set.text).to.not.include(key.slice(0, 20))
      const removed = await request(http).delete(path).set('Authorization', admin)
      expect(removed.body.data.reason).to.equal('missing')
    })
    it('does not replace an active license with a key that is not valid', async () => {
      const { addUser, basic, http, license } = await open()
      const admin = await basic(await addUser('admin', 'administrator'))
      const put = (key: string) =>
        request(http).put('/wp-json/host/v1/license').set('Authorization', admin).send({ key })
      expect((await put('nonsense')).body.data).to.include({ active: false, reason: 'malformed' })
      await put(issue())
      const rejected = await put('nonsense')
      expect([rejected.status, rejected.body.code]).to.deep.equal([400, 'invalid_license_key'])
      expect(rejected.body.data).to.include({ reason: 'malformed' })
      expect(license.status()).to.include({ active: true, licensee: 'Ann' })
    })
    it('makes Pro routes appear and disappear at once', async () => {
      const { addUser, basic, http, rest, license } = await open()
      rest.registerRoute('demo/v1', { method: 'GET', path: '/pro', access: 'public', pro: true, handler: () => 'pro' })
      const get = async () => (await request(http).get('/wp-json/demo/v1/pro')).status
      const admin = await basic(await addUser('admin', 'administrator'))
      expect(await get()).to.equal(404)
      await request(http).put('/wp-json/host/v1/license').set('Authorization', admin).send({ key: issue() })
      expect(await get()).to.equal(200)
      await license.remove()
      expect(await get()).to.equal(404)
    })
    it('rejects other keys, and invalid ones', async () => {
      const { addUser, basic, http } = await open()
      const editor = await basic(await addUser('ed', 'editor'))
      const admin = await basic(await addUser('admin', 'administrator'))
      const path = '/wp-json/host/v1/license'
      expect((await request(http).get(path)).status).to.equal(401)
      expect((await request(http).put(path).set('Authorization', editor).send({ key: 1 })).status).to.equal(403)
      for (const [body, code] of [
        [{}, 'rest_missing_callback_param'],
        [{ key: 1 }, 'rest_invalid_param'],
        [{ key: '' }, 'rest_invalid_param'],
        [{ key: 'x'.repeat(9000) }, 'rest_invalid_param'],
      ] as const) {
        const response = await request(http).put(path).set('Authorization', admin).send(body)
        expect([response.status, response.body.code]).to.deep.equal([400, code])
      }
    })
  })
})
