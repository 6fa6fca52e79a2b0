import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { createSite } from '../../../app/create-site.ts'
import { ANONYMOUS, CHEAPEST } from '../../../core/auth/index.ts'
import { temporaryFolder } from '../../support/site-folder.ts'
import { until } from '../../support/until.ts'
import { WXR_END, WXR_HEAD, wxrItem } from './wxr-file.ts'

describe('An import in a container that was created again', () => {
  it('is continued at once, though the hostname is another one', async () => {
    const siteDir = temporaryFolder()
    const site = await createSite({ siteDir, port: 0, logLevel: 'silent' }, { passwordCost: CHEAPEST })
    try {
      const folder = join(siteDir, 'tmp/import-upload-one')
      const expires = new Date(Date.now() + 3_600_000).toISOString()
      const session = { fileName: 'export.xml', size: null, sha256: null, userId: null, expires, total: 1 }
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, 'session.json'), JSON.stringify({ ...session, isComplete: true }))
      await writeFile(join(folder, 'file'), `${WXR_HEAD}${wxrItem({ id: 41, title: 'Imported' })}${WXR_END}`)
      const { items } = await site.auth.users.query({ roles: ['administrator'], limit: 1 })
      const identity = { ...ANONYMOUS, user: items[0] ?? null }
      const body = { files: ['one'] }
      const { status } = await site.rest.dispatch({ method: 'POST', route: '/host/v1/import', body, identity })
      expect(status).to.equal(202)

      const { db } = site.database
      const table = db.selectFrom('jobs').select(['id', 'data']).where('type', '=', 'wordpress-import')
      const { id, data } = await table.executeTakeFirstOrThrow()
      const moved = JSON.stringify({ ...JSON.parse(data), node: 'a former hostname' })
      await db.updateTable('jobs').set({ data: moved }).where('id', '=', id).execute()
      await until(async () => (await site.jobs.advance(id))?.state === 'complete')
      const { body: outcome } = await site.rest.dispatch({ method: 'GET', route: '/host/v1/import', identity })
      expect(JSON.parse(JSON.stringify(outcome)).data.report.posts.post).to.deep.equal({ added: 1, existing: 0 })
    } finally {
      await site.close()
    }
  })
})
