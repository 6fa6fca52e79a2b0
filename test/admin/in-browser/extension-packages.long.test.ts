import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import { extensionOf, startRegistry, type TestRegistry, tarOf } from '../../packages/registry.ts'
import { startSigstore, WORKFLOW } from '../../packages/sigstore.ts'
import { type AdminSite, expectAccessible, openAdminSite, PASSWORD, shoot } from '../admin-site.ts'

describe('Installing extensions in the admin', () => {
  let registry: TestRegistry
  let admin: AdminSite
  let page: Page

  before(async () => {
    registry = await startRegistry()
    admin = await openAdminSite()
    await admin.site.host.options.update('extension_packages_settings', { registry: registry.url })
    page = await admin.signIn('administrator', '/wp-admin/extensions')
  })
  after(async () => {
    await admin.close()
    await registry.close()
  })

  const versionOf = (id: string) => admin.site.host.extensions.list().find((one) => one.id === id)?.version
  const publish = (version: string) =>
    registry.publish('hello-extension', version, { 'index.js': extensionOf('hello', version) })

  it('from a file, after the password was confirmed', async () => {
    await page.getByRole('link', { name: 'Add extension' }).click()
    await page.getByRole('heading', { name: 'Add extension', level: 1 }).waitFor()
    await expectAccessible(page)
    await page.locator('input[type=file]').setInputFiles({
      ...{ name: 'tool.tgz', mimeType: 'application/gzip' },
      buffer: await tarOf({ 'index.js': extensionOf('tool', '1.0.0') }),
    })
    await page.getByRole('button', { name: 'Install file' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('“Name of tool” 1.0.0 installed.').waitFor()
    expect(versionOf('tool')).to.equal('1.0.0')
    await page.waitForURL('**/wp-admin/extensions/tool')
    await page.goto(`${admin.site.url}/wp-admin/extensions/add`)
  })

  it('from a search of the registry, and says what is wrong', async () => {
    await publish('1.0.0')
    await page.getByRole('searchbox', { name: 'Search for extensions' }).fill('hello')
    const found = page.locator('[data-package="hello-extension"]')
    await found.getByText('About hello-extension.').waitFor()
    await found.getByRole('button', { name: 'Install hello-extension' }).click()
    await found.getByRole('link', { name: 'Installed' }).waitFor()
    expect(versionOf('hello')).to.equal('1.0.0')
    await expectAccessible(page)
    await shoot(page, 'add-extension')
    await page.getByLabel('Package').fill('no-such-package')
    await page.getByRole('button', { name: 'Install package' }).click()
    await page.getByText('The registry has no package named no-such-package.').waitFor()
  })

  it('says what was verified', async () => {
    const sigstore = await startSigstore()
    const configure = (sigstoreRoot: string) =>
      admin.site.host.options.update('extension_packages_settings', { registry: registry.url, sigstoreRoot })
    const publishSigned = (version: string) =>
      registry.publish(
        'signed-extension',
        version,
        { 'index.js': extensionOf('signed', version) },
        { isSigned: true, attest: sigstore.attest },
      )
    await configure(sigstore.root)
    await publishSigned('1.0.0')
    await page.getByLabel('Package').fill('signed-extension')
    await page.getByRole('button', { name: 'Install package' }).click()
    await page.getByText('“Name of signed” 1.0.0 installed.').waitFor()
    await page.waitForURL('**/wp-admin/extensions/signed')
    const origin = page.getByRole('region', { name: 'Package' })
    await origin.getByText('Installed from signed-extension@1.0.0').waitFor()
    await origin.getByText('Verified: the registry’s signature (key SHA256:test).').waitFor()
    await origin.getByText(`Verified: built by ${WORKFLOW} (provenance).`).waitFor()
    await expectAccessible(page)
    await shoot(page, 'package-origin')
    await publishSigned('1.1.0')
    await configure('unavailable')
    await admin.site.host.packages.update('signed')
    await page.reload()
    await origin.getByText('Not verified: the author’s statement about where').waitFor()
    sigstore.close()
    await configure('')
    await page.goto(`${admin.site.url}/wp-admin/extensions/tool`)
    await origin.getByText('The author of the file was not verified').waitFor()
    await page.goto(`${admin.site.url}/wp-admin/extensions/add`)
  })

  it('asks before it installs a version with known vulnerabilities, and names installed ones', async () => {
    const database = createServer(async (request, response) => {
      const { queries } = z
        .object({ queries: z.array(z.object({ package: z.object({ name: z.string() }) })).optional() })
        .parse(await json(request))
      const vulns = [{ id: 'GHSA-1', summary: 'Scripts in titles' }]
      const results = queries?.map(({ package: { name } }) => (name === 'bad-extension' ? { vulns } : {}))
      response.end(JSON.stringify(results ? { results } : { vulns }))
    })
    await new Promise<void>((resolve) => database.listen(0, '127.0.0.1', resolve))
    const { port } = database.address() as AddressInfo
    const configure = (advisoryDatabase: string) =>
      admin.site.host.options.update('extension_packages_settings', { registry: registry.url, advisoryDatabase })
    await configure(`http://127.0.0.1:${port}`)
    await registry.publish('bad-extension', '1.0.0', { 'index.js': extensionOf('bad', '1.0.0') })
    await page.getByLabel('Package').fill('bad-extension')
    await page.getByRole('button', { name: 'Install package' }).click()
    const dialog = page.getByRole('dialog', { name: 'Install a version with known vulnerabilities?' })
    await dialog.getByText('bad-extension 1.0.0 has known vulnerabilities: GHSA-1 (Scripts in titles).').waitFor()
    expect(versionOf('bad')).to.equal(undefined)
    await dialog.getByRole('button', { name: 'Install anyway' }).click()
    await page.getByText('“Name of bad” 1.0.0 installed.').waitFor()
    await page.goto(`${admin.site.url}/wp-admin/extensions`)
    await page.getByRole('alert').getByText('bad 1.0.0: GHSA-1 – Scripts in titles').waitFor()
    await expectAccessible(page)
    await admin.site.host.packages.remove('bad')
    await configure('')
    database.close()
  })

  it('updates an extension', async () => {
    await publish('1.1.0')
    await page.goto(`${admin.site.url}/wp-admin/extensions`)
    const update = page.locator('[data-update="hello"]')
    await update.getByText('hello: version 1.0.0 → 1.1.0').waitFor()
    await expectAccessible(page)
    await update.getByRole('button', { name: 'Update hello' }).click()
    await update.waitFor({ state: 'detached' })
    expect(versionOf('hello')).to.equal('1.1.0')
  })

  it('asks before a sandboxed extension is activated, and before an update may do more', async () => {
    const guest = (version: string, permissions: string) => ({
      'index.js': `import { defineExtension } from 'pentad'
export default defineExtension({ id: 'guest', name: 'Guest', version: '${version}', isolation: 'sandbox', permissions: { ${permissions} }, setup() {} })`,
    })
    const upload = async (files: Record<string, string>) => {
      await page.goto(`${admin.site.url}/wp-admin/extensions/add`)
      const file = { name: 'guest.tgz', mimeType: 'application/gzip', buffer: await tarOf(files) }
      await page.locator('input[type=file]').setInputFiles(file)
      await page.getByRole('button', { name: 'Install file' }).click()
    }
    const stateOf = () => admin.site.host.extensions.list().find(({ id }) => id === 'guest')?.state
    await upload(guest('1.0.0', "storage: 1, hooks: ['the_content']"))
    await page.getByText('“Guest” 1.0.0 installed.').waitFor()
    await page.waitForURL('**/wp-admin/extensions/guest')
    const activation = page.getByRole('dialog', { name: 'Activate “Guest”?' })
    await page.getByRole('button', { name: 'Activate Guest' }).click()
    await activation.getByText('Use the hook the_content').waitFor()
    await activation.getByText('Store up to 1 MB').waitFor()
    await expectAccessible(page)
    await shoot(page, 'consent')
    await activation.getByRole('button', { name: 'Cancel' }).click()
    await activation.waitFor({ state: 'detached' })
    expect(stateOf()).to.equal('inactive')
    await page.getByRole('button', { name: 'Activate Guest' }).click()
    await activation.getByRole('button', { name: 'Allow and activate' }).click()
    await page.getByText('“Guest” activated.').waitFor()
    expect(stateOf()).to.equal('active')
    await page.getByText('Requested, not used since the site started').first().waitFor()

    await upload(guest('1.1.0', "storage: 1, hooks: ['the_content'], mail: { perHour: 5 }"))
    const update = page.getByRole('dialog', { name: 'Allow more permissions for “Guest”?' })
    await update.getByText('Send up to 5 emails an hour').waitFor()
    expect(await update.getByText('Store up to 1 MB').count()).to.equal(0)
    await update.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Guest 1.1.0 requires additional permissions: Send up to 5 emails an hour.').waitFor()
    expect(versionOf('guest')).to.equal('1.0.0')
    await page.getByRole('button', { name: 'Install file' }).click()
    await update.getByRole('button', { name: 'Allow and update' }).click()
    await page.getByText('“Guest” updated to version 1.1.0.').waitFor()
    expect([stateOf(), versionOf('guest')]).to.deep.equal(['active', '1.1.0'])
  })

  it('runs an extension that allows both in a sandbox', async () => {
    await page.goto(`${admin.site.url}/wp-admin/extensions/announcement-bar`)
    await page.getByRole('button', { name: 'Activate Announcement bar' }).click()
    await page.getByText('“Announcement bar” activated.').waitFor()
    const choice = page.getByRole('switch', { name: 'Run in a sandbox' })
    await choice.click()
    await page.getByText('Sandboxed', { exact: true }).waitFor()
    await page.getByText('Use the hook wp_body_open').waitFor()
    expect(await choice.isChecked()).to.equal(true)
    await expectAccessible(page)
  })

  it('removes an extension with its data', async () => {
    await admin.site.host.options.update('hello_settings', { greeting: 'Hi' })
    await page.goto(`${admin.site.url}/wp-admin/extensions`)
    await page.getByRole('link', { name: 'Name of hello' }).click()
    await page.getByRole('button', { name: 'Remove Name of hello' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove “Name of hello”?' })
    await dialog.getByLabel('Delete its data and settings, too').check()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Extension removed.').waitFor()
    await page.getByRole('heading', { name: 'Extensions', level: 1 }).waitFor()
    expect(versionOf('hello')).to.equal(undefined)
    expect(admin.site.host.options.get('hello_settings')).to.equal(undefined)
  })
})
