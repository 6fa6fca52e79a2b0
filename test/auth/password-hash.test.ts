import { expect } from 'chai'
import { createPasswordHasher } from '../../core/auth/password-hash.ts'
import { checkSignInQueue } from '../../core/auth/sign-in-queue.ts'
import { createSemaphore } from '../../core/threads/semaphore.ts'
import { codeOf } from './site.ts'

describe('password hashes', () => {
  it('cost 32 MiB and three rounds by default, and say so', async () => {
    const hasher = createPasswordHasher()
    const hash = await hasher.hash('pässword')
    expect(hash).to.match(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(await hasher.verify('pässword', hash)).to.equal(true)
    expect(await hasher.verify('password', hash)).to.equal(false)
    expect(hasher.isOutdated(hash)).to.equal(false)
  })
  it('made with less are still right, and outdated', async () => {
    const hash = await createPasswordHasher({ ln: 4, r: 8, p: 1 }).hash('x')
    const hasher = createPasswordHasher({ ln: 5, r: 8, p: 1 })
    expect(await hasher.verify('x', hash)).to.equal(true)
    expect(hasher.isOutdated(hash)).to.equal(true)
  })
  it('that are none match nothing', async () => {
    const hasher = createPasswordHasher({ ln: 4, r: 8, p: 1 })
    for (const hash of [undefined, '', '$P$Babcdefgh', '$scrypt$ln=4,r=8,p=1$$', '$2y$10$abc']) {
      expect(await hasher.verify('', hash), String(hash)).to.equal(false)
    }
  })
})

describe('turns', () => {
  it('run so many at a time, in order, and send away who would wait too long', async () => {
    const limit = createSemaphore(2, checkSignInQueue)
    const started: number[] = []
    const ends: (() => void)[] = []
    const tasks = Array.from({ length: 103 }, (_, index) =>
      codeOf(
        limit(async () => {
          started.push(index)
          await new Promise<void>((resolve) => ends.push(resolve))
        }),
      ),
    )
    expect(await tasks.at(-1)).to.equal('rest_too_many_requests')
    expect(started).to.deep.equal([0, 1])
    while (started.length < 102) {
      ends.shift()?.()
      await new Promise(setImmediate)
    }
    for (const end of ends) end()
    expect(await Promise.all(tasks.slice(0, -1))).to.have.length(102)
    expect(started).to.deep.equal(Array.from({ length: 102 }, (_, index) => index))
  })
  it('go on after a task that failed', async () => {
    const limit = createSemaphore(1)
    const failed = limit(async () => {
      throw new Error('no')
    })
    expect(await codeOf(failed)).to.equal('Error: no')
    expect(await limit(async () => 'next')).to.equal('next')
  })
})
