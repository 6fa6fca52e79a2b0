import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { z } from 'zod'
import { readJson } from '../../plugins/backup/json-file.ts'
import { STAGES } from '../../plugins/backup/pipeline/job.ts'
import type { BackupRecord } from '../../plugins/backup/types.ts'
import { postgresBinaries } from '../support/postgres.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { describeTree, tool } from './archive-files.ts'
import { unpack } from './backup-site.ts'
import { createKilledSite, KILLS, type KilledSite, SEED, USED_AT_EACH_CALL } from './killed-site.ts'
import { killOften, timeStages } from './killing.ts'
import { differences } from './site-content.ts'

interface Backup {
  readonly site: KilledSite
  readonly jobId: string
}

const stateSchema = z.object({ stage: z.enum(STAGES), percent: z.number() })

for (const kind of ['sqlite', 'postgres'] as const) {
  const kills = kind === 'sqlite' ? KILLS : Math.ceil(KILLS / 10)

  describe(`A backup whose process is killed, on ${kind}`, () => {
    before(function () {
      if (kind === 'postgres' && !postgresBinaries && process.env.CI !== 'true') this.skip()
    })

    const sites: KilledSite[] = []
    after(() => Promise.all(sites.map((site) => site.close())))

    it(`is completed by the next process, verifies and holds exactly the site, ${kills} times`, async function () {
      this.timeout(1_200_000 + kills * 30_000)
      const site = await createKilledSite(kind)
      sites.push(site)
      if (kind === 'sqlite') sites.push(await site.copy())
      await Promise.all(sites.map((one) => one.start()))
      const undisturbed = await begin(site)
      const times = await timeStages(() => stageOf(site, undisturbed))
      const sums = await check(site, undisturbed)
      const out = temporaryFolder()
      await unpack(await archiveOf(site, undisturbed), out)
      const files = await describeTree(join(out, 'files'), '', (name) => name !== 'options.json')
      expect(await site.content()).include.members(files)

      const hits = await killOften<Backup, KilledSite>(sites, {
        ...{ kills, stages: STAGES, times, seed: `${SEED} backups ${kind}` },
        begin: async (one) => ({ site: one, jobId: await begin(one) }),
        stageOf: ({ site, jobId }) => stageOf(site, jobId),
        async kill({ site }, random) {
          await site.kill()
          if (random() < 0.2) await site.killWhileStarting(random() * 1500)
          await site.start()
        },
        async end({ site, jobId }) {
          expect(differences(await check(site, jobId), sums), `seed ${SEED}, job ${jobId}`).deep.equal([])
        },
      })
      if (process.env.PENTAD_TEST_KILLS) process.stdout.write(`      seed ${SEED}: ${JSON.stringify(hits)}\n`)
      // A few kills may miss a short stage.
      if (kills >= 2 * STAGES.length) {
        for (const stage of STAGES) expect(hits[stage], `kills in ${stage}, seed ${SEED}`).above(0)
      }
      for (const { dir, stop } of sites) {
        await stop()
        expect((await readdir(join(dir, 'tmp'))).filter((name) => name.startsWith('backup-'))).deep.equal([])
      }
    })
  })
}

describe('A backup whose site was down for days', () => {
  let site: KilledSite
  before(async () => {
    site = await createKilledSite('sqlite')
  })
  after(() => site?.close())

  it('goes on where it was', async () => {
    await site.start()
    const jobId = await begin(site)
    while ((await stageOf(site, jobId)) === 'prepare') await wait(5)
    await site.kill()
    const longAgo = new Date(Date.now() - 3 * 24 * 3600_000)
    await utimes(join(site.dir, 'tmp', `backup-${jobId}`), longAgo, longAgo)
    await site.start()
    await check(site, jobId)
  })
})

async function begin(site: KilledSite): Promise<string> {
  const { status, data } = await site.call<{ jobId: string }>('POST', '/backup/create', { title: 'Killed' })
  expect(status).equal(202)
  return data.jobId
}

/** Past each tick the stage is written down that comes next. */
async function stageOf({ dir }: KilledSite, jobId: string): Promise<string | undefined> {
  const state = stateSchema.safeParse(await readJson(join(dir, 'backups/jobs', `${jobId}.state.json`))).data
  return state?.percent === 100 ? undefined : (state?.stage ?? 'prepare')
}

/** Waits for the end of the backup, has it verified, and answers the sums of all that is in it but what a call changes. */
async function check(site: KilledSite, jobId: string): Promise<string[]> {
  expect(await site.ended(jobId)).deep.include({ state: 'complete', error: null, warnings: [] })
  await site.serves()
  const verified = await site.call('POST', '/backup/verify', { backupId: jobId })
  expect(verified.status, verified.code).equal(200)
  const sums = tool('tar', ['-xOf', await archiveOf(site, jobId), 'checksums.sha256'])
    .trim()
    .split('\n')
  return sums.filter((line) => !line.endsWith(` database/${USED_AT_EACH_CALL}.ndjson`)).sort()
}

async function archiveOf(site: KilledSite, jobId: string): Promise<string> {
  const { data } = await site.call<{ items: BackupRecord[] }>('GET', '/backup/fetch?perPage=100')
  const record = data.items.find(({ id }) => id === jobId)
  return join(site.dir, 'backups', record?.fileName ?? '')
}
