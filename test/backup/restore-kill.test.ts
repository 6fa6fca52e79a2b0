import { createHash, randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import type { Progress } from '../../plugins/backup/types.ts'
import { type RunningSite, startPentad } from '../support/pentad.ts'
import { describeTree } from './archive-files.ts'
import { createBackupSite } from './backup-site.ts'

/** How many restores are killed, and where the moments come from. */
const KILLS = Number(process.env.PENTAD_TEST_KILLS ?? 5)
const SEED = Number(process.env.PENTAD_TEST_SEED ?? 1)
/** Milliseconds that a restore of this site takes at most; the kill comes somewhere in them. */
const LATEST = 3500

/** All that a restore replaces, as text: rows of every table of content, and files by their sums. */
async function contentOf(siteDir: string): Promise<string> {
  const database = new DatabaseSync(join(siteDir, 'site.db'), { readOnly: true })
  const sum = createHash('sha256')
  for (const table of ['users', 'posts', 'postmeta', 'terms', 'comments', 'note']) {
    sum.update(JSON.stringify(database.prepare(`select * from ${table}`).all()))
  }
  database.close()
  return [
    sum.digest('hex'),
    ...(await describeTree(join(siteDir, 'uploads'))),
    ...(await describeTree(join(siteDir, 'generated'))),
  ].join('\n')
}

/** Mulberry32: the same moments for the same seed. */
function* randomFrom(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    yield ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

describe('a restore that is killed', () => {
  let folder: string
  let account: string
  let backupId: string
  let older: string
  let newer: string
  const prepared = () => join(folder, 'prepared')

  before(async function () {
    this.timeout(60_000)
    folder = await mkdtemp(join(tmpdir(), 'pentad-kill-'))
    const site = await createBackupSite()
    const { auth, database } = site.host
    const admin = await auth.users.getByLogin('admin')
    const { password } = await auth.applicationPasswords.create(admin?.id ?? 0, 'kill')
    account = `Basic ${btoa(`admin:${password}`)}`
    await site.call('GET', '/backup/fetch')
    await database.db.schema.createTable('note').addColumn('text', 'text').execute()
    const write = async (version: string, size: number) => {
      new DatabaseSync(join(site.dir, 'site.db')).exec(
        `delete from note; insert into note select '${version} ' || value from json_each('[${Array.from({ length: 3000 }, (_, n) => n)}]')`,
      )
      await site.write({
        'uploads/a.bin': randomBytes(size),
        [`uploads/${version}.txt`]: version,
        'generated/map.json': version,
      })
    }
    await write('backed up', 30_000_000)
    const jobId = await site.create()
    expect((await site.ended(jobId)).state).to.equal('complete')
    backupId = jobId
    newer = await contentOf(site.dir)
    await write('later', 1000)
    older = await contentOf(site.dir)
    await cp(site.dir, prepared(), { recursive: true, preserveTimestamps: true })
    await site.close()
    await writeFile(join(prepared(), 'config.json'), '{}')
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it(`ends with exactly the old or exactly the new site, ${KILLS} times`, async function () {
    this.timeout(KILLS * 60_000)
    const random = randomFrom(SEED)
    const ends: string[] = []
    for (let round = 0; round < KILLS; round++) {
      const siteDir = join(folder, `site-${round}`)
      await cp(prepared(), siteDir, { recursive: true, preserveTimestamps: true })
      let site = await startPentad(siteDir)
      const { jobId, progressToken } = await begin(site)
      const moment = Math.floor(random.next().value * LATEST)
      await wait(moment)
      await site.end('SIGKILL')
      site = await startPentad(siteDir)
      const { state } = await ended(site, jobId, progressToken)
      expect((await fetch(`${site.url}/wp-json/host/v1/health`)).status, `round ${round}`).to.equal(200)
      expect(await site.end()).to.equal(0)
      const content = await contentOf(siteDir)
      expect(content, `round ${round}, killed after ${moment} ms, ${state}`).to.equal(
        state === 'complete' ? newer : older,
      )
      ends.push(state)
      await rm(siteDir, { recursive: true })
    }
    expect(ends).to.include('complete')
  })

  async function begin(site: RunningSite): Promise<{ jobId: string; progressToken: string }> {
    const answer = await fetch(`${site.url}/wp-json/backup/v1/restore/start`, {
      method: 'POST',
      headers: { Authorization: account, 'Content-Type': 'application/json' },
      body: JSON.stringify({ backupId }),
    })
    expect(answer.status).to.equal(202)
    return JSON.parse(await answer.text()).data
  }

  async function ended(site: RunningSite, jobId: string, token: string): Promise<Progress> {
    for (;;) {
      const answer = await fetch(`${site.url}/wp-json/backup/v1/backup/progress?jobId=${jobId}`, {
        headers: { 'X-Restore-Token': token },
      }).catch(() => undefined)
      if (answer?.status === 200) {
        const { data } = JSON.parse(await answer.text())
        if (data.state !== 'running') return data
      }
      await wait(50)
    }
  }
})
