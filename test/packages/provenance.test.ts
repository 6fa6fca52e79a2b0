import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'
import { RestError } from '../../core/errors.ts'
import { extensionOf, startRegistry, type TestRegistry } from './registry.ts'
import { startSigstore, type TestSigstore, WORKFLOW } from './sigstore.ts'

type Attest = TestSigstore['attest']

describe('the statement about where a package was built', () => {
  let host: TestHost
  let registry: TestRegistry
  let sigstore: TestSigstore

  before(async () => {
    ;[registry, sigstore, host] = await Promise.all([startRegistry(), startSigstore(), createTestHost()])
    await trust(sigstore.root)
  })
  after(async () => {
    await host.close()
    await registry.close()
    sigstore.close()
  })

  const trust = (sigstoreRoot: string) =>
    host.host.options.update('extension_packages_settings', { registry: registry.url, sigstoreRoot })
  const install = async (id: string, attest: (...args: Parameters<Attest>) => Promise<object | undefined>) => {
    await registry.publish(id, '1.0.0', { 'index.js': extensionOf(id, '1.0.0') }, { attest })
    await host.host.packages.install({ type: 'registry', name: id, range: 'latest' })
    return host.host.packages.origin(id)
  }
  /** Expects that nothing is installed. */
  const failure = async (id: string, attest: Parameters<typeof install>[1]) => {
    const message = await install(id, attest).then(String, (error: Error) => error.message)
    expect(host.host.extensions.get(id)).to.equal(undefined)
    return message
  }

  it('is verified, and the workflow that built it is recorded', async () => {
    expect(await install('built', sigstore.attest)).to.include({ hasProvenance: true, provenance: WORKFLOW })
  })

  it('must be about the file', async () => {
    const integrity = `sha512-${Buffer.alloc(64).toString('base64')}`
    expect(await failure('other-file', (file) => sigstore.attest({ ...file, integrity }))).to.match(/a different file/)
    expect(await failure('other-name', (file) => sigstore.attest({ ...file, name: 'built' }))).to.match(
      /a different file/,
    )
    expect(await failure('other-version', (file) => sigstore.attest({ ...file, version: '2.0.0' }))).to.match(
      /a different file/,
    )
  })

  it('must be signed, as it is', async () => {
    const alter = (file: Parameters<Attest>[0]) => async (change: (json: string) => string) =>
      JSON.parse(change(JSON.stringify(await sigstore.attest(file))))
    const payload = /"payload":"([^"]+)"/
    const message = await failure('altered', (file) =>
      alter(file)((json) =>
        json.replace(payload, (_, text: string) => {
          const statement = Buffer.from(text, 'base64').toString().replace('"predicate":{', '"predicate":{"more":1,')
          return `"payload":"${Buffer.from(statement).toString('base64')}"`
        }),
      ),
    )
    expect(message).to.match(
      /^The provenance statement for altered 1\.0\.0 is invalid, so the package was not installed\./,
    )
    expect(
      await failure('not-logged', (file) => alter(file)((json) => json.replace(/"inclusionPromise":\{[^}]*\},?/, ''))),
    ).to.match(/is invalid/)
    expect(await failure('missing', async () => ({ attestations: [] }))).to.match(/is invalid/)
  })

  it('must be signed with a certificate of the trusted Sigstore instance', async () => {
    const other = await startSigstore()
    expect(await failure('foreign', other.attest)).to.match(/is invalid/)
    other.close()
  })

  it('must be available if the registry names it', async () => {
    expect(await failure('unavailable', async () => undefined)).to.match(
      /The registry does not have the provenance statement for/,
    )
  })

  it('must be signed by a workflow, not by a person', async () => {
    expect(await failure('personal', (file) => sigstore.attest(file, 'ada@example.org'))).to.match(
      /The signing certificate does not name a workflow/,
    )
  })

  it('is recorded as not verified if the keys are unavailable', async () => {
    await trust('')
    // Where the keys would be stored.
    const keys = join(host.host.config.siteDir, 'cache/sigstore')
    await rm(keys, { recursive: true, force: true })
    await writeFile(keys, '')
    expect(await install('unverified', sigstore.attest)).to.include({ hasProvenance: true, provenance: null })
    await trust(sigstore.root)
  })

  it('is verified with keys that the settings accept only if they are JSON', async () => {
    const settings = host.host.settings.get('extension_packages')
    const failed = await settings?.update({ sigstoreRoot: '{"mediaType":' }).catch((error: unknown) => error)
    expect(failed).to.be.instanceOf(RestError).and.to.have.property('code', 'rest_invalid_param')
    expect(settings?.get()).to.include({ sigstoreRoot: sigstore.root })
  })
})
