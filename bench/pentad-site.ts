/**
 * The measured site: the imported example site with one extension, in a temporary folder. Environment:
 * `SERVICES=on` runs the services too, `PAGE_CACHE=on` turns on the page cache, `OPTIMIZER=off` turns off the optimizer,
 * `LONG_PAGE` is the length of the post `/long/` in characters, `ADMIN_PASSWORD` the password of `admin`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSite } from '../app/create-site.ts'
import { importWxr, partsOfSite } from '../cms/content/import/index.ts'
import { OPTIMIZER_OFF } from '../test/speed/optimizer-off.ts'

const siteDir = mkdtempSync(join(tmpdir(), 'pentad-bench-'))
process.once('exit', () => rmSync(siteDir, { recursive: true, force: true }))
process.once('SIGTERM', () => process.exit(0))

const { SERVICES, PAGE_CACHE, OPTIMIZER, LONG_PAGE, ADMIN_PASSWORD } = process.env
const pageCache = PAGE_CACHE === 'on' ? 'on' : 'off'
const host = await createSite(
  { siteDir, port: 0, logLevel: 'error', environment: 'production', pageCache },
  { runServices: SERVICES === 'on' },
)
await importWxr({
  files: [join(import.meta.dirname, '../test/fixtures/wordpress-export.xml')],
  ...partsOfSite(host),
})
await host.extensions.activate('announcement-bar')
const admin = await host.auth.users.getByLogin('admin')
if (!admin) throw new Error('the site has no administrator')
if (ADMIN_PASSWORD) await host.auth.users.update(admin.id, { password: ADMIN_PASSWORD })
if (LONG_PAGE) {
  const content = `<p>${'The quick brown fox jumps over the lazy dog. '.repeat(20)}</p>`.repeat(Number(LONG_PAGE) / 900)
  await host.content.posts.insert({ title: 'Long', slug: 'long', status: 'publish', content, authorId: admin.id })
}
if (OPTIMIZER === 'off') await host.settings.get('speed')?.update(OPTIMIZER_OFF)
const { password } = await host.auth.applicationPasswords.create(admin.id, 'bench')
console.log(JSON.stringify({ url: await host.listen(), authorization: `Basic ${btoa(`admin:${password}`)}`, siteDir }))
