import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { AssertionError, expect } from 'chai'
import { createHost } from '../../core/host.ts'
import type { BackupRecord, Progress } from '../../plugins/backup/types.ts'
import { startPentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { unpack, writeFiles } from './backup-site.ts'

/** Random numbers from 0 to 1 that are the same at every run. */
function* randoms(seed: string): Generator<number> {
  for (let count = 0; ; count++) yield createHash('sha256').update(`${seed}:${count}`).digest().readUInt32LE() / 2 ** 32
}

/** Bytes that no compression makes smaller, the same at every run. */
function noise(seed: string, length: number): Buffer {
  const chunks = Array.from({ length: Math.ceil(length / 32) }, (_, at) =>
    createHash('sha256').update(`${seed}${at}`).digest(),
  )
  return Buffer.concat(chunks).subarray(0, length)
}

describe('A backup whose process is killed', () => {
  it('goes on with the next process, is complete and verifies, whenever it happened', async function () {
    this.timeout(300_000)
    const seed = process.env.PENTAD_TEST_SEED ?? '2026'
    const random = randoms(seed)
    const dir = temporaryFolder()
    const small = Array.from({ length: 300 }, (_, at) => [`uploads/${at % 7}/${at}`, noise(`${at}`, 40_000)] as const)
    await writeFiles(dir, { ...Object.fromEntries(small), 'uploads/movie': noise('movie', 12_000_000) })
    const host = await createHost({ siteDir: dir, port: 0, logLevel: 'silent' }, { runExtensions: false })
    const user = await host.auth.users.create({ login: 'ops', email: 'ops@example.org', roles: ['administrator'] })
    const { password } = await host.auth.applicationPasswords.create(user.id, 'test')
    await host.close()
    const headers = { Authorization: `Basic ${btoa(`ops:${password}`)}`, 'Content-Type': 'application/json' }
    const call = async <Data>(url: string, path: string, init: RequestInit = {}): Promise<Data> => {
      const answer = await fetch(`${url}/wp-json/backup/v1${path}`, { ...init, headers })
      const { data }: { data: Data } = JSON.parse(await answer.text())
      return data
    }

    let site = await startPentad(dir)
    const begin = async () => {
      const init = { method: 'POST', body: JSON.stringify({ title: 'Killed' }) }
      return (await call<{ jobId: string }>(site.url, '/backup/create', init)).jobId
    }
    const poll = (jobId: string) => call<Progress>(site.url, `/backup/progress?jobId=${jobId}`)
    const jobIds = [await begin()]
    let seen: number[] = []
    for (let kills = 0; kills < Number(process.env.PENTAD_TEST_KILLS ?? 6); kills++) {
      let jobId = jobIds.at(-1) ?? ''
      const before = await poll(jobId)
      if (before.state !== 'running') {
        expect(before, `seed ${seed}`).deep.include({ state: 'complete', error: null, warnings: [] })
        jobId = await begin()
        jobIds.push(jobId)
        seen = []
      }
      const polling = (async () => {
        for (;;) {
          const { percent } = await poll(jobId)
          expect(percent, `seed ${seed}`).least(seen.at(-1) ?? 0)
          seen.push(percent)
        }
      })().catch((error) => {
        if (error instanceof AssertionError) throw error
      })
      await wait((random.next().value ?? 0) * 2500)
      await site.end('SIGKILL')
      await polling
      // As if so much time had passed that others may take over from the one that died.
      const database = new DatabaseSync(join(dir, 'site.db'))
      database.exec("update leases set expires = 0 where holder <> ''")
      database.close()
      site = await startPentad(dir)
    }
    const jobId = jobIds.at(-1) ?? ''
    let progress = await poll(jobId)
    while (progress.state === 'running') progress = await poll(jobId)
    expect(progress, `seed ${seed}`).deep.include({ state: 'complete', error: null, warnings: [] })
    const { items } = await call<{ items: BackupRecord[] }>(site.url, '/backup/fetch?perPage=100')
    expect(items.map(({ id }) => id).slice(0, 5)).deep.equal(jobIds.toReversed().slice(0, 5))
    await call(site.url, '/backup/verify', { method: 'POST', body: JSON.stringify({ backupId: jobId }) })
    await site.end()
    const out = temporaryFolder()
    const names = await unpack(join(dir, 'backups', items[0]?.fileName ?? ''), out)
    expect(names.filter((name) => /^files\/uploads\/\d\/\d+$/.test(name)).length).equal(300)
    expect((await readdir(join(dir, 'tmp'))).filter((name) => name.startsWith('backup-'))).deep.equal([])
  })
})
