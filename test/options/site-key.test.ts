import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createHost } from '../../core/host.ts'
import { loadSiteKey } from '../../core/options/site-key.ts'
import { temporaryFolder } from '../support/site-folder.ts'

describe('loadSiteKey', () => {
  let siteDir: string
  const path = () => join(siteDir, 'secret.key')
  const mode = () => statSync(path()).mode & 0o777
  beforeEach(() => {
    siteDir = temporaryFolder()
  })

  it('makes a key at the first start, for its owner only, and nothing else', () => {
    loadSiteKey(siteDir)
    expect(readdirSync(siteDir)).to.deep.equal(['secret.key'])
    expect(mode()).to.equal(0o600)
  })

  it('makes none for a site that has a database, also if the host runs without the CMS', async () => {
    expect(loadSiteKey(siteDir).isNew).to.equal(true)
    expect(loadSiteKey(siteDir).isNew).to.equal(false)
    const host = await createHost({ siteDir, port: 0, logLevel: 'silent' })
    await host.close()
    rmSync(path())
    const error = await createHost({ siteDir, port: 0, logLevel: 'silent' }).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(String(error)).to.contain('secret.key is missing, but').and.contain('Copy the file from your backup.')
    expect(readdirSync(siteDir)).not.to.include('secret.key')
  })

  it('derives the same 32 bytes for a purpose each time, others for another purpose or site', () => {
    const first = loadSiteKey(siteDir).derive('nonces')
    expect(first).to.have.length(32)
    expect(loadSiteKey(siteDir).derive('nonces').equals(first)).to.equal(true)
    expect(loadSiteKey(siteDir).derive('sessions').equals(first)).to.equal(false)
    expect(loadSiteKey(temporaryFolder()).derive('nonces').equals(first)).to.equal(false)
  })

  it('never replaces a damaged key, and names it', () => {
    for (const damaged of ['', 'short', `${'A'.repeat(43)}=!`]) {
      writeFileSync(path(), damaged)
      expect(() => loadSiteKey(siteDir)).to.throw(path())
      expect(readFileSync(path(), 'utf8')).to.equal(damaged)
    }
  })

  it('takes a permission back that a copy of the site has lost', () => {
    loadSiteKey(siteDir)
    chmodSync(path(), 0o644)
    loadSiteKey(siteDir)
    expect(mode()).to.equal(0o600)
  })

  it('uses the configured key, or the one in the configured file, and makes no file', () => {
    const secretKey = Buffer.alloc(32, 7).toString('base64url')
    const secretKeyFile = join(temporaryFolder(), 'site-key')
    writeFileSync(secretKeyFile, `${secretKey}\n`)
    const given = loadSiteKey(siteDir, { secretKey }).derive('nonces')
    expect(loadSiteKey(siteDir, { secretKeyFile }).derive('nonces').equals(given)).to.equal(true)
    expect(readdirSync(siteDir)).to.deep.equal([])
    writeFileSync(path(), secretKey)
    expect(loadSiteKey(siteDir).derive('nonces').equals(given)).to.equal(true)
    expect(loadSiteKey(siteDir, { secretKey }).derive('nonces').equals(given)).to.equal(true)
  })

  it('refuses a configured key that differs from the one of the site, or is damaged', () => {
    loadSiteKey(siteDir)
    const secretKey = Buffer.alloc(32, 7).toString('base64url')
    expect(() => loadSiteKey(siteDir, { secretKey })).to.throw(`The configured key differs from ${path()}.`)
    const secretKeyFile = join(temporaryFolder(), 'site-key')
    writeFileSync(secretKeyFile, 'short')
    expect(() => loadSiteKey(temporaryFolder(), { secretKeyFile })).to.throw(`${secretKeyFile} is damaged`)
  })
})
