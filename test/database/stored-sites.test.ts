import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { Client } from 'pg'
import { createTestHost } from '../../app/testing/index.ts'
import { loadSiteKey } from '../../core/options/index.ts'
import { onEachDatabase } from '../support/databases.ts'
import { temporaryFolder } from '../support/site-folder.ts'

/** Sites as released versions stored them; made by `store-site.ts`. */
const SITES = join(import.meta.dirname, 'sites')

onEachDatabase(
  'A stored site',
  (databaseUrl) => {
    for (const version of readdirSync(SITES)) {
      it(`of version ${version} is opened with its content, redirects and services`, async () => {
        const siteDir = temporaryFolder()
        const url = await databaseUrl()
        loadSiteKey(siteDir)
        const stored = (file: string) => gunzipSync(readFileSync(join(SITES, version, file)))
        copyFileSync(join(SITES, version, 'options.json'), join(siteDir, 'options.json'))
        if (url) await execute(url, stored('postgres.sql.gz').toString())
        else writeFileSync(join(siteDir, 'site.db'), stored('site.db.gz'))

        const config = { siteDir, ...(url !== undefined && { databaseUrl: url }) }
        const site = await createTestHost({ services: true, config })
        try {
          expect((await site.get('/wp-json/host/v1/ready')).status).to.equal(200)
          const page = await (await site.get('/stored/')).text()
          expect(page).to.contain('From an <em>earlier</em> version.')
          const comments = await site.host.database.db.selectFrom('comments').select(['content', 'status']).execute()
          expect(comments).to.deep.equal([{ content: 'A stored comment.', status: 'hold' }])
          const moved = await site.get('/before')
          expect([moved.status, moved.headers.get('location')]).to.deep.equal([301, '/stored/'])
          const found = await site.get('/wp-json/wp/v2/search?search=earlier')
          expect(await found.json()).to.have.nested.property('[0].title', 'Stored')
          const stopped = site.host.extensions.list().filter(({ isService, state }) => isService && state !== 'active')
          expect(stopped).to.deep.equal([])
        } finally {
          await site.close()
        }
      })
    }
  },
  { isEmpty: true },
)

async function execute(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
