import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { createSite } from '../../app/create-site.ts'
import { ANONYMOUS, CHEAPEST } from '../../core/auth/index.ts'
import { pentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { writeFiles } from './backup-site.ts'

describe('pentad cron', () => {
  it('brings a backup of a large file to its end, though each call is a process of its own', async () => {
    const dir = temporaryFolder()
    await writeFiles(dir, { 'uploads/movie.bin': randomBytes(20_000_000) })
    // Nothing drives the jobs of a host that does not listen.
    const host = await createSite({ siteDir: dir, port: 0, logLevel: 'silent' }, { passwordCost: CHEAPEST })
    const { items } = await host.auth.users.query({ roles: ['administrator'], limit: 1 })
    const identity = { ...ANONYMOUS, user: items[0] ?? null }
    const begun = await host.rest.dispatch({ method: 'POST', route: '/backup/v1/backup/create', identity })
    expect(begun.status).equal(202)
    await host.close()

    const { code, errors } = await pentad(dir, ['cron'])
    expect(code, errors).equal(0)
    const [record = ''] = await readdir(join(dir, 'backups/records'))
    const { size } = JSON.parse(await readFile(join(dir, 'backups/records', record), 'utf8'))
    expect(size).greaterThan(20_000_000)
  })
})
