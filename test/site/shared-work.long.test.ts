import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { createPageDataCache } from '../../cms/site/view/page-data-cache.ts'
import { ANONYMOUS } from '../../core/auth/index.ts'
import type { User } from '../../core/auth/types.ts'
import { createHooks } from '../../core/hooks/index.ts'
import { asUser, currentRequest, inRequest } from '../../core/http/index.ts'

const user = (login: string, id: number): User => ({
  ...{ id, login, email: '', slug: login, displayName: login, url: '', description: '', firstName: '', lastName: '' },
  ...{ nickname: login, locale: '', registered: '2026-01-01T00:00:00', roles: ['subscriber'] },
})
const READERS = [null, user('anna', 2), user('bert', 3)]

const createCache = () =>
  createPageDataCache(createHooks(), { dataVersion: async () => '', isReadByStatus: () => true })

const who = () => currentRequest()?.identity.user?.login ?? 'visitor'

/** A request of each reader, at the same time, again and again; the answers and whether they vary by user. */
function answers(work: () => Promise<string>): Promise<[string, boolean][]> {
  const readers = Array.from({ length: 4 }, () => READERS).flat()
  return Promise.all(
    readers.map((reader) =>
      inRequest(async (request) => {
        request.identify({ ...ANONYMOUS, user: reader })
        return [await work(), request.variesByUser] as [string, boolean]
      }),
    ),
  )
}

describe('What readers share', () => {
  it('is made once for all of them, as for a visitor, where nothing asks who reads', async () => {
    let made = 0
    const look = createCache().remember(async (key) => {
      await wait(5)
      return `${key} ${++made}`
    })
    for (const answer of await answers(() => look('menu'))) expect(answer).to.deep.equal(['menu 1', false])
    expect(made).to.equal(1)
  })

  it('is made again once the texts of other results take its place', async () => {
    const made: string[] = []
    const look = createCache().remember(async (key) => {
      made.push(key)
      return new Map([[key, [{ text: key.repeat(6_000_000) }]]])
    })
    for (const key of ['a', 'b', 'c', 'a']) await look(key)
    expect(made).to.deep.equal(['a', 'b', 'c', 'a'])
  })

  it('keeps nothing of the request that made it in memory', async () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const request = new AsyncLocalStorage<object>()
    let made = 0
    const look = createCache().remember(async () => ++made)
    const askFor = async (key: string) => {
      const asked = { key }
      await request.run(asked, () => look(key))
      return new WeakRef(asked)
    }
    const requests = [await askFor('a'), await askFor('b')]
    for (let turns = 0; turns < 20 && requests.some((one) => one.deref()); turns++) {
      await wait(50)
      collect()
    }
    expect(requests.map((one) => one.deref())).to.deep.equal([undefined, undefined])
    expect([await look('a'), await look('b')]).to.deep.equal([1, 2])
  })

  it('is released after its time, without another request', async () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const made: WeakRef<object>[] = []
    const look = createCache().remember(async (key) => {
      const result = { key }
      made.push(new WeakRef(result))
      return result
    })
    expect(await look('a')).to.deep.equal({ key: 'a' })
    while (made[0]?.deref()) {
      await wait(50)
      collect()
    }
    expect(await look('a')).to.deep.equal({ key: 'a' })
  })

  it('is not shared if the code asks for the current user: each request gets its own result, and none is cached', async () => {
    const look = createCache().remember(async (key) => {
      await wait(Math.random() * 5)
      return `${key} of ${who()}`
    })
    for (let time = 0; time < 3; time++) {
      const expected = READERS.map((reader) => [`menu of ${reader?.login ?? 'visitor'}`, true])
      expect((await answers(() => look('menu'))).slice(0, 3)).to.deep.equal(expected)
    }
  })

  it('varies with the reader of an answer that contains it, not with another reader’s', async () => {
    await inRequest(async (request) => {
      request.identify({ ...ANONYMOUS, user: user('anna', 2) })
      expect(await asUser({ ...ANONYMOUS, user: user('bert', 3) }, async () => who())).to.equal('bert')
      expect(request.variesByUser).to.equal(false)
      expect(await asUser({ ...ANONYMOUS, user: user('anna', 2) }, async () => who())).to.equal('anna')
      expect(request.variesByUser).to.equal(true)
    })
  })
})
