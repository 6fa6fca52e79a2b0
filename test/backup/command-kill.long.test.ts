import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { lastReplacement } from '../../app/replacement/index.ts'
import { createRecords } from '../../plugins/backup/records.ts'
import { createRestoreStates } from '../../plugins/backup/restore/state.ts'
import type { BackupRecord } from '../../plugins/backup/types.ts'
import { launch, pentad } from '../support/pentad.ts'
import { randomsOf } from '../support/randoms.ts'
import { createKilledSite, type KilledSite, SEED } from './killed-site.ts'
import { differences, runSql } from './site-content.ts'

describe('A command of pentad that is killed', () => {
  const random = randomsOf(`${SEED} commands`)
  const sites: KilledSite[] = []
  let prepared: KilledSite
  let archive: string
  let newer: string[]
  let older: string[]

  before(async () => {
    prepared = await createKilledSite('sqlite')
    newer = await prepared.content()
    const { code, errors } = await pentad(prepared.dir, ['backup', 'create', '--title', 'Whole'])
    expect(code, errors).equal(0)
    const [record] = await recordsOf(prepared)
    archive = join(prepared.dir, 'backups', record?.fileName ?? '')
    await runSql(prepared, "update posts set title = 'Changed'; delete from comments")
    await rm(join(prepared.dir, 'uploads/film'))
    older = await prepared.content()
  })
  after(() => Promise.all(sites.map((site) => site.close())))

  /** Runs a command and kills it a while after it has begun to do what is waited for. */
  async function killCommand(
    site: KilledSite,
    args: string[],
    begun: () => Promise<boolean>,
    ms: number,
  ): Promise<void> {
    const child = launch(site.dir, args)
    child.stdout?.resume()
    child.stderr?.resume()
    const gone = once(child, 'close')
    let isGone = false
    void gone.then(() => {
      isGone = true
    })
    while (!isGone && !(await begun())) await wait(2)
    await Promise.race([wait(random() * ms), gone])
    child.kill('SIGKILL')
    await gone
    await site.expireLeases()
  }

  async function copy(): Promise<KilledSite> {
    const site = await prepared.copy()
    sites.push(site)
    return site
  }

  it('leaves a backup to the cron driver, and that one to the next command', async () => {
    const site = await copy()
    const known = (await recordsOf(site)).map(({ id }) => id)
    const isMade = async () => (await recordsOf(site)).some(({ id }) => !known.includes(id))
    const hasBegun = async () =>
      (await readdir(join(site.dir, 'tmp')).catch(() => [])).some((name) => name.startsWith('backup-'))
    await killCommand(site, ['backup', 'create', '--title', 'First'], hasBegun, 1)
    expect(await isMade()).equal(false)
    for (let kills = 0; kills < 3; kills++) await killCommand(site, ['cron'], async () => true, 2000)
    const { code, errors } = await pentad(site.dir, ['backup', 'create', '--title', 'Second'])
    expect(code, errors).equal(0)
    const records = await recordsOf(site)
    expect(records.map(({ title }) => title)).deep.equal(['Second', 'First', 'Whole'])
    for (const { fileName } of records) {
      expect(await pentad(site.dir, ['backup', 'verify', join(site.dir, 'backups', fileName)])).include({ code: 0 })
    }
  })

  it('leaves the old site where it restores, until it is run again to its end', async () => {
    const site = await copy()
    const states = createRestoreStates(site.dir)
    for (const stage of ['verify', 'extract', 'database', 'files']) {
      const hasCome = async () => (await states.list()).some((one) => one.state === 'running' && one.stage === stage)
      await killCommand(site, ['backup', 'restore', archive], hasCome, 30)
      // Once it has begun to put the new site in place, the next start goes on with that.
      if (lastReplacement(site.dir)) break
      expect(differences(await site.content(), older), `seed ${SEED}, killed in ${stage}`).deep.equal([])
    }
    const { code, errors } = await pentad(site.dir, ['backup', 'restore', archive])
    expect(code, errors).equal(0)
    expect(differences(await site.content(), newer), `seed ${SEED}`).deep.equal([])
  })

  /** A copy of the site whose server was killed as soon as it had begun to restore the backup. */
  async function leaveRestoreBehind() {
    const site = await copy()
    const [record] = await recordsOf(site)
    await site.start()
    const { data } = await site.call<{ jobId: string }>('POST', '/restore/start', { backupId: record?.id })
    await site.kill()
    return { site, jobId: data.jobId }
  }

  it('lets a backup wait for a restore that a killed server has left behind', async () => {
    const { site, jobId } = await leaveRestoreBehind()
    const { code, errors } = await pentad(site.dir, ['backup', 'create', '--title', 'After it'])
    expect(code, errors).equal(0)
    expect((await createRestoreStates(site.dir).read(jobId))?.state).equal('complete')
    expect((await recordsOf(site)).map(({ title }) => title)).deep.equal(['After it', 'Whole'])
    expect(differences(await site.content(), newer), `seed ${SEED}`).deep.equal([])
  })

  it('restores the site by the cron driver alone, killed again and again', async () => {
    const { site, jobId } = await leaveRestoreBehind()
    const states = createRestoreStates(site.dir)
    for (let kills = 0; kills < 3; kills++) {
      await killCommand(site, ['cron'], async () => true, 2000)
    }
    while ((await states.read(jobId))?.state === 'running') {
      expect(await pentad(site.dir, ['cron'])).include({ code: 0 })
    }
    expect((await states.read(jobId))?.state).equal('complete')
    expect(differences(await site.content(), newer), `seed ${SEED}`).deep.equal([])
  })
})

function recordsOf({ dir }: KilledSite): Promise<BackupRecord[]> {
  return createRecords(join(dir, 'backups'), randomBytes(32)).list()
}
