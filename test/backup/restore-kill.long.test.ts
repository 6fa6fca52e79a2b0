import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { lastReplacement } from '../../app/replacement/index.ts'
import { createRestoreStates } from '../../plugins/backup/restore/state.ts'
import { postgresBinaries } from '../support/postgres.ts'
import { writeFiles } from './backup-site.ts'
import { createKilledSite, KILLS, type KilledSite, SEED } from './killed-site.ts'
import { killOften, timeStages } from './killing.ts'
import { differences, runSql } from './site-content.ts'

const STAGES = ['verify', 'extract', 'database', 'files', 'finish']

interface Restore {
  readonly site: KilledSite
  readonly jobId: string
  readonly headers: { readonly 'X-Restore-Token': string }
}

for (const kind of ['sqlite', 'postgres'] as const) {
  const kills = kind === 'sqlite' ? KILLS : Math.ceil(KILLS / 10)

  describe(`A restore whose process is killed, on ${kind}`, () => {
    const sites: KilledSite[] = []
    before(function () {
      if (kind === 'postgres' && !postgresBinaries && process.env.CI !== 'true') this.skip()
    })
    after(() => Promise.all(sites.map((site) => site.close())))

    it(`ends with exactly the old or exactly the new site, ${kills} times`, async function () {
      this.timeout(1_200_000 + kills * 30_000)
      const original = await createKilledSite(kind)
      sites.push(original)
      const newer = await original.content()
      await original.start()
      const { data } = await original.call<{ jobId: string }>('POST', '/backup/create')
      const backupId = data.jobId
      expect((await original.ended(backupId)).state).equal('complete')
      await original.stop()
      await change(original)
      const older = await original.content()

      const begin = async (from: KilledSite): Promise<Restore> => {
        const site = await from.copy()
        sites.push(site)
        await site.start()
        const { status, data } = await site.call<{ jobId: string; progressToken: string }>('POST', '/restore/start', {
          backupId,
        })
        expect(status).equal(202)
        return { site, jobId: data.jobId, headers: { 'X-Restore-Token': data.progressToken } }
      }
      /** The restore may work on while nobody looks, so nothing is compared while a process runs. */
      const end = async ({ site, jobId, headers }: Restore) => {
        const { state, error } = await site.ended(jobId, headers)
        expect([state, error], `seed ${SEED}`).deep.equal(['complete', null])
        await site.serves()
        await site.stop()
        expect(differences(await site.content(), newer), `seed ${SEED}`).deep.equal([])
        await rm(site.dir, { recursive: true })
      }

      const undisturbed = await begin(original)
      const times = await timeStages(() => stageOf(undisturbed))
      await end(undisturbed)
      const hits = await killOften<Restore, KilledSite>(kind === 'sqlite' ? [original, original] : [original], {
        ...{ kills, stages: STAGES, times, seed: `${SEED} restores ${kind}` },
        ...{ begin, stageOf, end },
        async kill({ site }, random) {
          await site.kill()
          if (random() < 0.2) await site.killWhileStarting(random() * 1500)
          const last = lastReplacement(site.dir)
          // In between the next start has to finish what was begun before anything is served.
          if (!last || last.outcome) {
            const wanted = last?.outcome?.done ? newer : older
            expect(differences(await site.content(), wanted), `seed ${SEED}`).deep.equal([])
          }
          await site.start()
          if (last) expect(differences(await site.content(), newer), `seed ${SEED}`).deep.equal([])
          await site.serves()
        },
      })
      if (process.env.PENTAD_TEST_KILLS) process.stdout.write(`      seed ${SEED}: ${JSON.stringify(hits)}\n`)
      // A few kills may miss a short stage.
      if (kills >= 2 * STAGES.length) {
        for (const stage of STAGES) expect(hits[stage], `kills in ${stage}, seed ${SEED}`).above(0)
      }
    })
  })
}

/** What somebody does to a site after the backup. */
async function change(site: KilledSite): Promise<void> {
  await runSql(
    site,
    `update posts set title = 'Changed'; delete from comments; create table note (text text);
     insert into note select slug from posts`,
  )
  await rm(join(site.dir, 'uploads/pictures/1'), { recursive: true })
  await writeFiles(site.dir, { 'uploads/later.txt': 'later', 'others.txt': 'later', 'generated/map.json': '[]' })
  await writeFile(join(site.dir, 'uploads/film'), 'another film')
}

async function stageOf({ site, jobId }: Restore): Promise<string | undefined> {
  const state = await createRestoreStates(site.dir).read(jobId)
  return state?.state === 'running' ? state.stage : undefined
}
