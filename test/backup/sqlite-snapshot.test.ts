import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { createSqliteSnapshots } from '../../plugins/backup/database/sqlite-snapshot.ts'

describe('A snapshot of a SQLite database', () => {
  let siteDir: string

  before(() => {
    siteDir = mkdtempSync(join(tmpdir(), 'pentad-test-'))
    const site = new DatabaseSync(join(siteDir, 'site.db'))
    site.exec("pragma journal_mode = wal; create table posts (title text); insert into posts values ('Hello')")
    site.close()
  })
  after(() => rmSync(siteDir, { recursive: true }))

  it('is opened while another process reads it', async () => {
    const snapshots = createSqliteSnapshots({ siteDir, folder: siteDir })
    await snapshots.take()
    const other = new DatabaseSync(join(siteDir, 'snapshot.db'), { readOnly: true })
    other.exec('begin; select * from posts')
    const snapshot = await snapshots.open()
    expect(await Array.fromAsync(snapshot.rows('posts', 0))).to.deep.equal([['Hello']])
    snapshot.close()
    other.close()
  })
})
