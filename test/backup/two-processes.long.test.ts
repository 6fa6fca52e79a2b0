import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { createRestoreStates } from '../../plugins/backup/restore/state.ts'
import { randomsOf } from '../support/randoms.ts'
import { createKilledSite, type KilledSite, SEED } from './killed-site.ts'
import { differences, runSql } from './site-content.ts'

describe('Two processes of a site, each paused while the other one takes over', () => {
  const random = randomsOf(`${SEED} pauses`)
  let one: KilledSite
  let other: KilledSite
  let backupId: string
  let content: string[]

  before(async () => {
    one = await createKilledSite('sqlite')
    other = one.beside()
    content = await one.content()
    await Promise.all([one.start(), other.start()])
  })
  after(() => Promise.all([one?.close(), other?.close()]))

  /** Pauses one after the other until the work has ended. */
  async function takeTurns(hasEnded: () => Promise<boolean>, takenOver: () => Promise<void>): Promise<void> {
    for (let pauses = 0; pauses < 8 && !(await hasEnded()); pauses++) {
      const paused = pauses % 2 === 0 ? one : other
      await wait(random() * 400)
      await paused.pause()
      await takenOver()
      await wait(random() * 800)
      paused.resume()
    }
  }

  const outputs = () => `seed ${SEED}\n${one.output()}\n${other.output()}`

  it('make a whole backup', async () => {
    const { data } = await one.call<{ jobId: string }>('POST', '/backup/create')
    backupId = data.jobId
    const polling = other.ended(backupId)
    let ended = false
    void polling.finally(() => {
      ended = true
    })
    await takeTurns(
      async () => ended,
      async () => {},
    )
    const { state, error, warnings } = await polling
    expect({ state, error, warnings }, outputs()).deep.equal({ state: 'complete', error: null, warnings: [] })
    const verified = await one.call('POST', '/backup/verify', { backupId })
    expect(verified.status, `${verified.code}, seed ${SEED}`).equal(200)
  })

  it('restore exactly the site that was backed up', async () => {
    await runSql(one, "update posts set title = 'Changed'; delete from comments")
    const { data } = await one.call<{ jobId: string; progressToken: string }>('POST', '/restore/start', { backupId })
    const states = createRestoreStates(one.dir)
    const isRunning = async () => (await states.read(data.jobId))?.state === 'running'
    await takeTurns(
      async () => !(await isRunning()),
      async () => {
        // As if it had been paused for so long that it counts as lost.
        const state = await states.read(data.jobId)
        if (state?.state === 'running' && state.worker) {
          await states.write({ ...state, worker: { ...state.worker, at: 0 } })
        }
      },
    )
    const { state, error } = await other.ended(data.jobId, { 'X-Restore-Token': data.progressToken })
    expect([state, error], outputs()).deep.equal(['complete', null])
    await Promise.all([one.serves(), other.serves()])
    await Promise.all([one.stop(), other.stop()])
    expect(differences(await one.content(), content), `seed ${SEED}`).deep.equal([])
  })
})
