import { existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { createFileLock, LockLost } from '../../core/files/lock.ts'
import { rejection } from '../options/parts.ts'
import { temporaryFolder } from '../support/site-folder.ts'

describe('createFileLock', () => {
  let path: string
  beforeEach(() => {
    path = join(temporaryFolder(), 'lock')
  })

  it('lets one at a time in and leaves nothing behind', async () => {
    let inside = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++inside)
      await sleep(1)
      inside--
    }
    await Promise.all(Array.from({ length: 20 }, () => createFileLock(path).hold(work)))
    expect(most).to.equal(1)
    expect(existsSync(path)).to.equal(false)
  })

  it('is given back when the work fails', async () => {
    const lock = createFileLock(path)
    expect(await rejection(lock.hold(() => Promise.reject(new Error('broke'))))).to.have.property('message', 'broke')
    expect(await lock.hold(async () => 'again')).to.equal('again')
  })

  const stale: [string, string, number][] = [
    ['whose process is gone', `${hostname()} 4194999 x`, 0],
    ['of another host that is old', 'elsewhere 1 x', 60],
    ['of a running process that is old, as numbers are used again', `${hostname()} ${process.pid} x`, 60],
    ['whose maker was killed before it wrote its name', '', 0],
  ]
  for (const [what, content, age] of stale) {
    it(`takes over a lock ${what}`, async () => {
      writeFileSync(path, content)
      const then = Date.now() / 1000 - age
      utimesSync(path, then, then)
      let most = 0
      let inside = 0
      const work = async () => {
        most = Math.max(most, ++inside)
        await sleep(1)
        inside--
      }
      await Promise.all(Array.from({ length: 8 }, () => createFileLock(path).hold(work)))
      expect(most).to.equal(1)
    })
  }

  it('stays with who holds it, however long the work takes', async () => {
    const ends: string[] = []
    const given = { staleAfter: 200 }
    const long = createFileLock(path, given).hold(async () => {
      await sleep(1000)
      ends.push('long')
    })
    await createFileLock(path, given).hold(async () => ends.push('short'))
    await long
    expect(ends).to.deep.equal(['long', 'short'])
  })

  it('waits for a lock of another host that is young', async () => {
    writeFileSync(path, 'elsewhere 1 x')
    let entered = false
    const entering = createFileLock(path).hold(async () => {
      entered = true
    })
    await sleep(50)
    expect(entered).to.equal(false)
    rmSync(path)
    await entering
    expect(entered).to.equal(true)
  })

  it('notifies its holder when it was lost, and does not release the new holder’s lock', async () => {
    const lock = createFileLock(path)
    await lock.hold(async () => {
      await lock.confirm()
      writeFileSync(path, 'elsewhere 1 x')
      expect(await rejection(lock.confirm())).to.be.instanceOf(LockLost)
    })
    expect(existsSync(path)).to.equal(true)
  })
})
