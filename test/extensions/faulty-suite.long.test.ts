import { expect } from 'chai'
import type { Fault } from './faulty/fault.ts'
import { FAULTS } from './faulty/faults.ts'
import { type FaultySite, HEALTHY, startFaultySite } from './faulty/site.ts'
import { findSecrets, meet, readSite, saysWhere } from './faulty/trial.ts'

/** Visitors who read all the time, and milliseconds that each rests between two pages. */
const READERS = { clients: 2, rest: 100 }
/** Bytes that the heap may have grown by once all faulty extensions are gone: what the site keeps of its pages and posts. */
const GROWTH = 64 * 2 ** 20

describe('a site with a faulty extension, read by visitors', () => {
  let site: FaultySite
  let heapBefore: number

  before(async () => {
    site = await startFaultySite()
    await site.configure('ai', { helpdeskAgent: 'on' })
    let round = 0
    // What a site makes of its first pages is not made in the short time that callbacks get below.
    await readSite(site, { clients: 1, rest: 0 }, () => round++ > 20)
    await site.configure('host', { callbackTimeLimit: 100, requestTimeLimit: 1000, handlerTimeLimit: 200 })
    heapBefore = await site.heap()
  })
  after(() => site.end())

  async function meetAmongReaders(fault: Fault) {
    let isOver = false
    const readers = readSite(site, { ...READERS, fault }, () => isOver)
    const outcome = await meet(site, fault).finally(() => {
      isOver = true
    })
    return { ...outcome, others: (await readers).wrong }
  }

  for (const fault of FAULTS) {
    it(`pauses it alone and names it: ${fault.id}`, async () => {
      const { paused, reason, wrong, others } = await meetAmongReaders(fault)
      const secrets = await findSecrets(site, fault)
      await site.uninstall(fault)
      expect({ paused, reason, wrong: [...wrong, ...others, ...secrets] }).to.deep.equal({
        paused: [fault.id],
        reason: saysWhere(fault, reason) ? reason : `${fault.where} and (${fault.id}/index.ts:…)`,
        wrong: [],
      })
    })
  }

  it('has its page cache and its memory back when all of them are gone', async () => {
    expect(await findSecrets(site)).to.deep.equal([])
    expect(site.cachedPages().some((page) => page.includes(HEALTHY))).to.equal(true)
    expect((await site.heap()) - heapBefore).to.be.below(GROWTH)
  })
})
