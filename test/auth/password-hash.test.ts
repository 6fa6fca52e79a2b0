import { expect } from 'chai'
import { createPasswordHasher } from '../../core/auth/password-hash.ts'
import { checkSignInQueue } from '../../core/auth/sign-in-queue.ts'
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

describe('the queue of password checks', () => {
  it('rejects a log-in when a hundred are waiting', async () => {
    const check = (waiting: number) => codeOf((async () => checkSignInQueue(waiting))())
    expect(await check(99)).to.equal('resolved')
    expect(await check(100)).to.equal('rest_too_many_requests')
  })
})
