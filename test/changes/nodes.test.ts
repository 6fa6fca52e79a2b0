import { expect } from 'chai'
import { createFollower, shareLooks } from '../../cms/changes/nodes.ts'
import type { Change } from '../../cms/changes/types.ts'

describe('createFollower', () => {
  const entry = (id: string): Change => ({
    ...{ id, time: '2026-01-01T00:00:00Z', type: 'purge', scope: 'urls', urls: [], tags: [id] },
    ...{ reason: '', soft: false, cause: 'change' },
  })

  /** A log of entries that a test may replace, and a follower of it. */
  function followed(ids: string[]) {
    const state = { ids }
    const applied: string[] = []
    const { follow, position } = createFollower(
      {
        newest: async () => state.ids.at(-1),
        async read(after, limit) {
          const at = after === undefined ? 0 : state.ids.indexOf(after) + 1
          return after !== undefined && at === 0 ? undefined : state.ids.slice(at, at + limit).map(entry)
        },
      },
      (change) => void applied.push(change === 'unknown' ? 'unknown' : `${change.id} after ${position()}`),
    )
    return { state, follow, position, applied }
  }

  it('begins after the newest entry, then applies each entry once, in order', async () => {
    const { state, follow, applied } = followed(['a'])
    await follow()
    await follow()
    state.ids = ['a', 'b', 'c']
    await follow()
    await follow()
    expect(applied).to.deep.equal(['b after a', 'c after b'])
  })

  it('applies the first entries of an empty log', async () => {
    const { state, follow, applied } = followed([])
    await follow()
    state.ids = ['a']
    await follow()
    expect(applied).to.deep.equal(['a after null'])
  })

  it('applies more entries than it reads at once', async () => {
    const { state, follow, applied } = followed(['0'])
    await follow()
    state.ids = Array.from({ length: 2500 }, (_, index) => String(index))
    await follow()
    expect(applied).to.deep.equal(state.ids.slice(1).map((id, at) => `${id} after ${at}`))
  })

  it('takes the log of a restored site for unknown', async () => {
    const { state, follow, applied } = followed(['a'])
    await follow()
    state.ids = []
    await follow()
    state.ids = ['x']
    await follow()
    state.ids = ['y']
    await follow()
    expect(applied).to.deep.equal(['unknown', 'x after null', 'unknown'])
  })
})

describe('shareLooks', () => {
  it('begins a look after each call, and shares it with the calls made before it began', async () => {
    const looks: PromiseWithResolvers<boolean>[] = []
    const look = shareLooks(() => {
      const made = Promise.withResolvers<boolean>()
      looks.push(made)
      return made.promise
    })
    const first = look()
    await Promise.resolve()
    expect(looks).to.have.length(1)
    const [second, third] = [look(), look()]
    looks[0]?.resolve(true)
    expect(await first).to.equal(true)
    await Promise.resolve()
    expect(looks, 'one look for both').to.have.length(2)
    looks[1]?.resolve(false)
    expect(await Promise.all([second, third])).to.deep.equal([false, false])
    expect(looks).to.have.length(2)
  })
})
