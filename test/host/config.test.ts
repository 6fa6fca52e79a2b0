import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { configWarnings, loadConfig } from '../../core/config.ts'
import { temporaryFolder } from '../support/site-folder.ts'

describe('loadConfig', () => {
  const siteDir = temporaryFolder()

  it('lets code win over the environment, the environment over config.json, and config.json over the defaults', () => {
    writeFileSync(join(siteDir, 'config.json'), JSON.stringify({ port: 1000, host: '127.0.0.2', adminUser: 'ann' }))
    const config = loadConfig({ siteDir, port: 3000 }, { PENTAD_PORT: '2000', PENTAD_HOST: '127.0.0.3' })
    expect(config).to.include({ port: 3000, host: '127.0.0.3', adminUser: 'ann', environment: 'local' })
  })

  it('makes the address of the site from host and port, and takes a slash off the end of a given one', () => {
    writeFileSync(join(siteDir, 'config.json'), '{}')
    expect(loadConfig({ siteDir, port: 3000 }, {}).url).to.equal('http://127.0.0.1:3000')
    expect(loadConfig({ siteDir, host: '::1', port: 3000 }, {}).url).to.equal('http://[::1]:3000')
    expect(loadConfig({ siteDir, host: 'fe80::1%eth0', port: 3000 }, {}).url).to.equal('http://[fe80::1]:3000')
    expect(loadConfig({ siteDir, url: 'https://example.org/' }, {}).url).to.equal('https://example.org')
  })

  it('reads every documented variable', () => {
    const config = loadConfig(
      {},
      {
        PENTAD_SITE_DIR: siteDir,
        PENTAD_DATABASE_URL: 'postgres://a@127.0.0.1/b',
        PENTAD_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
        PENTAD_PAGE_CACHE: 'off',
        PENTAD_SMTP_URL: 'smtp://127.0.0.1:25',
        PENTAD_LICENSE_PUBLIC_KEY: 'abc',
      },
    )
    expect(config).to.deep.include({
      siteDir,
      databaseUrl: 'postgres://a@127.0.0.1/b',
      trustedProxies: ['10.0.0.0/8', '::1'],
      pageCache: 'off',
      smtpUrl: 'smtp://127.0.0.1:25',
      licensePublicKey: 'abc',
    })
  })

  it('names every wrong value at once', () => {
    const wrong = () => loadConfig({ siteDir }, { PENTAD_PORT: 'eighty', PENTAD_ENVIRONMENT: 'moon' })
    expect(wrong).to.throw(/port \(PENTAD_PORT\): .*\n {2}environment \(PENTAD_ENVIRONMENT\): /s)
  })

  it('names the place that a wrong value comes from, and not what was derived from it', () => {
    writeFileSync(join(siteDir, 'config.json'), JSON.stringify({ host: 'a host' }))
    const wrong = () => loadConfig({ siteDir, port: 70_000 }, { PENTAD_LOG_LEVEL: 'loud' })
    expect(wrong)
      .to.throw(/host \(.*config\.json\): /)
      .with.property('message')
      .that.matches(/port \(the port option\): /)
      .and.not.contains('url')
  })

  it('refuses a wrong value that another one overrides', () => {
    writeFileSync(join(siteDir, 'config.json'), '{}')
    expect(() => loadConfig({ siteDir, logLevel: 'warn' }, { PENTAD_LOG_LEVEL: 'loud' })).to.throw(
      /logLevel \(PENTAD_LOG_LEVEL\)/,
    )
  })

  it('shows no value: some are secret', () => {
    expect(() => loadConfig({ siteDir }, { PENTAD_DATABASE_URL: 'mysql://ann:verysecret@db/site' }))
      .to.throw(/databaseUrl/)
      .with.property('message')
      .that.does.not.contain('verysecret')
  })

  it('finds what is allowed and surely not meant', () => {
    writeFileSync(join(siteDir, 'config.json'), JSON.stringify({ prot: 1, port: 1, siteDir: 'elsewhere' }))
    const warnings = configWarnings(loadConfig({ siteDir, extensionsDir: join(siteDir, 'nowhere') }, {}))
    expect(warnings).to.have.length(3)
    expect(warnings.join('\n')).to.match(/"prot".*\n.*"siteDir".*\n.*nowhere/)
    writeFileSync(join(siteDir, 'config.json'), JSON.stringify({ port: 1 }))
    expect(configWarnings(loadConfig({ siteDir }, {}))).to.deep.equal([])
  })

  it('names the file that is no JSON object', () => {
    writeFileSync(join(siteDir, 'config.json'), '{ port: 1 }')
    expect(() => loadConfig({ siteDir }, {})).to.throw(/config\.json is not a JSON object/)
  })
})
