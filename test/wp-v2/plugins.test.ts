import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { extensionOf, startRegistry } from '../packages/registry.ts'
import { toObject } from './gazette.ts'
import { useOwnSite } from './own-site.ts'

const FIELDS = [
  ...['plugin', 'status', 'name', 'plugin_uri', 'author', 'author_uri', 'description', 'version', 'network_only'],
  ...['requires_wp', 'requires_php', 'textdomain', '_links'],
]

describe('wp/v2/plugins', () => {
  const site = useOwnSite()
  let admin: string
  before(async () => {
    admin = await site.signIn('admin', 'administrator')
    write('quiet', `setup() {}`)
    write('broken', `setup() { throw new Error('no way') }`)
  })

  function write(id: string, setup: string): void {
    const folder = join(site.host.config.siteDir, 'extensions', id)
    mkdirSync(folder, { recursive: true })
    const definition = `id: '${id}', name: 'The ${id} one', version: '1.2.3', description: 'Does <nothing>', ${setup}`
    writeFileSync(
      join(folder, 'index.ts'),
      `import { defineExtension } from 'pentad'\nexport default defineExtension({ ${definition} })\n`,
    )
  }

  it('shows the extensions in the shape of WordPress', async () => {
    const { item } = await site.ask('GET /wp/v2/plugins/quiet', undefined, admin)
    expect(Object.keys(item)).to.deep.equal(FIELDS)
    expect(item).to.include({ plugin: 'quiet', status: 'inactive', network_only: false, textdomain: 'quiet' })
    const description = toObject(item.description)
    expect(description.rendered).not.to.contain('<')
    expect(
      Object.keys((await site.ask('GET /wp/v2/plugins/quiet?context=embed', undefined, admin)).item),
    ).to.deep.equal([...['plugin', 'status', 'name', 'network_only', 'requires_wp', 'requires_php', '_links']])
  })

  it('switches one on and off, and lists by status and search', async () => {
    const list = async (query: string) => {
      const { body } = await site.ask(`GET /wp/v2/plugins?${query}`, undefined, admin)
      return Array.isArray(body) ? body.map((one) => toObject(one).plugin) : []
    }
    const { status, item } = await site.ask('PUT /wp/v2/plugins/quiet', { status: 'active' }, admin)
    expect([status, item.status, item.version]).to.deep.equal([200, 'active', '1.2.3'])
    expect(await list('status=active')).to.include('quiet')
    expect(await list('search=QUIET')).to.deep.equal(['quiet'])
    expect((await site.ask('POST /wp/v2/plugins/quiet', { status: 'inactive' }, admin)).item.status).to.equal(
      'inactive',
    )
    expect(await list('status=active')).not.to.include('quiet')
  })

  it('says why one does not start', async () => {
    expect(await site.outcome('POST /wp/v2/plugins/broken', { status: 'active' }, admin)).to.equal(
      '409 extension_failed',
    )
    const { item } = await site.ask('GET /wp/v2/plugins/broken', undefined, admin)
    expect(item.status).to.equal('inactive')
    expect(toObject(item.description).raw).to.contain('no way')
  })

  it('installs and deletes after the password was confirmed', async () => {
    const registry = await startRegistry()
    try {
      await site.host.options.update('extension_packages_settings', { registry: registry.url })
      await registry.publish('tea-extension', '1.0.0', { 'index.js': extensionOf('tea', '1.0.0') })
      const package_ = { slug: 'tea-extension', status: 'active' }
      expect(await site.outcome('POST /wp/v2/plugins', package_, admin)).to.equal('403 application_password_forbidden')
      const browser = await site.browser('admin', 'admin-password')
      const { status, item, headers } = await site.ask('POST /wp/v2/plugins', package_, browser)
      expect(status).to.equal(201)
      expect(headers.get('location')).to.equal(`${site.url}/wp-json/wp/v2/plugins/tea`)
      expect(item).to.include({ plugin: 'tea', status: 'active', version: '1.0.0' })
      expect(await site.outcome('DELETE /wp/v2/plugins/tea', undefined, browser)).to.equal(
        '400 rest_cannot_delete_active_plugin',
      )
      await site.ask('PUT /wp/v2/plugins/tea', { status: 'inactive' }, browser)
      expect(await site.outcome('DELETE /wp/v2/plugins/tea', undefined, admin)).to.equal(
        '403 application_password_forbidden',
      )
      const deleted = await site.ask('DELETE /wp/v2/plugins/tea', undefined, browser)
      expect(deleted.item.deleted).to.equal(true)
      expect(toObject(deleted.item.previous)).to.include({ plugin: 'tea' })
      expect(await site.outcome('GET /wp/v2/plugins/tea', undefined, admin)).to.equal('404 rest_plugin_not_found')
    } finally {
      await registry.close()
    }
  })

  it('is for administrators; what is not there is 404', async () => {
    const editor = await site.signIn('editor', 'editor')
    expect(await site.outcome('GET /wp/v2/plugins', undefined, editor)).to.equal('403 rest_cannot_view_plugins')
    expect(await site.outcome('GET /wp/v2/plugins')).to.equal('401 rest_cannot_view_plugins')
    expect(await site.outcome('GET /wp/v2/plugins/quiet', undefined, editor)).to.equal('403 rest_cannot_view_plugin')
    expect(await site.outcome('PUT /wp/v2/plugins/quiet', { status: 'active' }, editor)).to.equal(
      '403 rest_cannot_manage_plugins',
    )
    expect(await site.outcome('DELETE /wp/v2/plugins/quiet', undefined, editor)).to.equal(
      '403 rest_cannot_manage_plugins',
    )
    expect(await site.outcome('POST /wp/v2/plugins', { slug: 'x' }, editor)).to.equal('403 rest_cannot_install_plugin')
    expect(await site.outcome('GET /wp/v2/plugins/akismet', undefined, admin)).to.equal('404 rest_plugin_not_found')
  })
})
