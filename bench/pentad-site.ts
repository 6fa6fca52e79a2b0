/** The site that is measured: the imported example site with one extension, the services off, in a temporary folder. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importWxr } from '../core/content/import/index.ts'
import { createHost } from '../core/host.ts'

const siteDir = mkdtempSync(join(tmpdir(), 'pentad-bench-'))
process.once('exit', () => rmSync(siteDir, { recursive: true, force: true }))
process.once('SIGTERM', () => process.exit(0))

const host = await createHost(
  { siteDir, port: 0, logLevel: 'error', environment: 'production', pageCache: 'off' },
  { runServices: false },
)
await importWxr({
  file: join(import.meta.dirname, '../test/fixtures/wordpress-export.xml'),
  content: host.content,
  users: host.auth.users,
  options: host.options,
  database: host.database,
  config: host.config,
  log: host.log,
})
await host.extensions.activate('announcement-bar')
const admin = await host.auth.users.getByLogin('admin')
if (!admin) throw new Error('the site has no administrator')
const { password } = await host.auth.applicationPasswords.create(admin.id, 'bench')
console.log(JSON.stringify({ url: await host.listen(), authorization: `Basic ${btoa(`admin:${password}`)}` }))
