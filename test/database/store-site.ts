/**
 * Stores a small site of this version for `stored-sites.test.ts`, in `sites/<version>`: `node test/database/store-site.ts`, once for each
 * release. Later versions must be able to open it.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { createEmptyPostgresDatabase, postgresBinaries, stopPostgres } from '../support/postgres.ts'
import { temporaryFolder } from '../support/site-folder.ts'

const FOLDER = join(import.meta.dirname, 'sites', packageJson.version)

mkdirSync(FOLDER, { recursive: true })
// A folder of its own, so that only the server in it is stopped.
const temporary = mkdtempSync(join(tmpdir(), 'pentad-stored-'))
chmodSync(temporary, 0o755)
process.env.TMPDIR = temporary
const siteDir = temporaryFolder()
await fill(siteDir)
copyFileSync(join(siteDir, 'options.json'), join(FOLDER, 'options.json'))
writeFileSync(join(FOLDER, 'site.db.gz'), gzipSync(compact(join(siteDir, 'site.db')), { level: 9 }))

const databaseUrl = await createEmptyPostgresDatabase()
await fill(temporaryFolder(), databaseUrl)
const dump = execFileSync(
  join(postgresBinaries ?? '', 'pg_dump'),
  ['--no-owner', '--no-privileges', '--inserts', `--dbname=${databaseUrl}`],
  { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 },
)
// Without the commands of psql.
writeFileSync(join(FOLDER, 'postgres.sql.gz'), gzipSync(dump.replace(/^\\.*\n/gm, ''), { level: 9 }))
stopPostgres(temporary)
rmSync(temporary, { recursive: true })

async function fill(folder: string, url?: string): Promise<void> {
  const config = { siteDir: folder, ...(url !== undefined && { databaseUrl: url }) }
  const site = await createTestHost({ services: true, config })
  try {
    const { content } = site.host
    const post = await content.posts.insert({
      title: 'Stored',
      slug: 'stored',
      content: 'From an <em>earlier</em> version.',
      status: 'publish',
    })
    const comment = { post: post.id, author_name: 'Ann', author_email: 'ann@example.org', content: 'A stored comment.' }
    await create(site, '/wp-json/wp/v2/comments', comment)
    await create(site, '/wp-json/seo/v1/redirects', { source: '/before', target: '/stored/' })
  } finally {
    await site.close()
  }
}

async function create(site: TestHost, path: string, body: object): Promise<void> {
  const response = await site.request(path, { method: 'POST', body, as: 'administrator' })
  if (response.status !== 201) throw new Error(`${path}: ${await response.text()}`)
}

function compact(file: string): Buffer {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = delete; vacuum')
  database.close()
  return readFileSync(file)
}
