import { expect } from 'chai'
import { toObject } from '../wp-v2/gazette.ts'
import { type OwnSite, openOwnSite } from '../wp-v2/own-site.ts'
import { extensionOf, startRegistry, type TestRegistry, tarOf } from './registry.ts'

describe('the routes for extensions as packages', () => {
  let site: OwnSite
  let registry: TestRegistry
  let admin: Awaited<ReturnType<OwnSite['browser']>>
  let application: string

  before(async () => {
    registry = await startRegistry()
    site = await openOwnSite()
    application = await site.signIn('admin', 'administrator')
    admin = await site.browser('admin', 'admin-password')
    await site.host.options.update('extension_packages_settings', { registry: registry.url })
    await registry.publish('hello-extension', '1.0.0', { 'index.js': extensionOf('hello', '1.0.0') })
  })
  after(async () => {
    await site.host.close()
    await registry.close()
  })

  const upload = async (files: Record<string, string>) => {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(await tarOf(files))]), 'tool.tgz')
    const response = await fetch(`${site.url}/wp-json/host/v1/extensions/upload`, {
      ...{ method: 'POST', headers: { ...admin }, body: form },
    })
    return { status: response.status, body: toObject(await response.json()) }
  }
  const events = async () => {
    const { items } = await site.host.auth.securityLog.query({ limit: 50, offset: 0 })
    return items.flatMap(({ event, detail }) =>
      event.startsWith('extension_') ? [`${event} ${detail.extension}`] : [],
    )
  }

  it('require the password', async () => {
    for (const route of [
      'POST /host/v1/extensions',
      'POST /host/v1/extensions/hello/update',
      'DELETE /host/v1/extensions/hello',
    ]) {
      const body = route === 'POST /host/v1/extensions' ? { package: 'hello-extension' } : undefined
      expect(await site.outcome(route, body, application), route).to.equal('403 application_password_forbidden')
    }
  })

  it('are for administrators', async () => {
    const editor = await site.signIn('editor', 'editor')
    for (const route of [
      'GET /host/v1/extensions/search',
      'GET /host/v1/extensions/updates',
      'DELETE /host/v1/extensions/x',
    ]) {
      expect(await site.outcome(route, undefined, editor), route).to.equal('403 rest_forbidden')
    }
    expect(await site.outcome('POST /host/v1/extensions', { package: 'x' }, editor)).to.equal('403 rest_forbidden')
  })

  it('search, install, update, and remove', async () => {
    const { item: found } = await site.ask('GET /host/v1/extensions/search?search=hello', undefined, admin)
    expect(found.data).to.deep.include.members([
      {
        ...{ name: 'hello-extension', version: '1.0.0', description: 'About hello-extension.', date: null },
        ...{ author: 'ada', homepage: null, installedId: null },
      },
    ])
    const { status, item } = await site.ask(
      'POST /host/v1/extensions',
      { package: 'hello-extension', activate: true },
      admin,
    )
    expect(status).to.equal(200)
    expect(item.data).to.deep.equal({ id: 'hello', name: 'Name of hello', version: '1.0.0', previousVersion: null })

    await registry.publish('hello-extension', '1.1.0', { 'index.js': extensionOf('hello', '1.1.0') })
    const updates = await site.ask('GET /host/v1/extensions/updates', undefined, admin)
    expect(updates.item.data).to.deep.equal([
      { id: 'hello', package: 'hello-extension', version: '1.0.0', newest: '1.1.0', heldUntil: null },
    ])
    const updated = await site.ask('POST /host/v1/extensions/hello/update', undefined, admin)
    expect(updated.item.data).to.include({ version: '1.1.0', previousVersion: '1.0.0' })
    expect(site.host.hooks.applyFilters('the_title', 'Title', 1)).to.equal('Title 1.1.0')
    expect((await site.ask('POST /host/v1/extensions/hello/update', undefined, admin)).item.data).to.equal(null)

    const removed = await site.ask('DELETE /host/v1/extensions/hello?withData=true', undefined, admin)
    expect(removed.item.data).to.deep.equal({ deleted: true })
    expect(await site.outcome('DELETE /host/v1/extensions/hello', undefined, admin)).to.equal('404 extension_not_found')
    expect(await events()).to.deep.equal([
      ...['extension_removed hello', 'extension_deactivated hello', 'extension_updated hello'],
      ...['extension_installed hello', 'extension_activated hello'],
    ])
  })

  it('upload a file', async () => {
    const { status, body } = await upload({ 'index.js': extensionOf('tool', '1.0.0') })
    expect([status, body.data]).to.deep.equal([
      200,
      { id: 'tool', name: 'Name of tool', version: '1.0.0', previousVersion: null },
    ])
    expect(await upload({ 'README.md': 'x' })).to.nested.include({ status: 400, 'body.code': 'package_invalid' })
    expect(await upload({ 'index.js': extensionOf('seo', '1.0.0') })).to.nested.include({
      ...{ status: 409, 'body.code': 'package_conflict' },
    })
  })

  it('return where an extension comes from, and what was verified', async () => {
    const origin = async (id: string) =>
      (await site.ask(`GET /host/v1/extensions/${id}/package`, undefined, admin)).item.data
    expect(await origin('seo')).to.equal(null)
    const ofFile = { package: null, from: 'tool.tgz', version: '1.0.0', signedBy: null, hasProvenance: false }
    expect(await origin('tool')).to.deep.include(ofFile)
    const files = { 'index.js': extensionOf('signed', '1.0.0') }
    await registry.publish('signed-extension', '1.0.0', files, { isSigned: true })
    await site.ask('POST /host/v1/extensions', { package: 'signed-extension' }, admin)
    const signed = toObject(await origin('signed'))
    expect(signed).to.include({
      package: 'signed-extension',
      signedBy: 'SHA256:test',
      hasProvenance: false,
      provenance: null,
    })
    expect(signed.integrity).to.match(/^sha512-/)
    const editor = await site.signIn('reader', 'editor')
    expect(await site.outcome('GET /host/v1/extensions/signed/package', undefined, editor)).to.equal(
      '403 rest_forbidden',
    )
  })

  it('read no file of the server, and request no server in a private network', async () => {
    for (const [path, outcome] of [
      ['/etc/passwd', '400 package_invalid'],
      ['../site', '400 package_invalid'],
      ['file:///etc/passwd', '400 package_invalid'],
      [registry.url, '400 package_invalid'],
      ['https://127.0.0.1/a.tgz', '502 package_unavailable'],
      ['https://[::1]/a.tgz', '502 package_unavailable'],
    ] as const) {
      expect(await site.outcome('POST /host/v1/extensions', { package: path }, admin), path).to.equal(outcome)
    }
  })
})
