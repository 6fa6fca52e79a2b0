import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { ContentClosed } from '../../core/hooks/errors.ts'
import { createHooks, type HookRegistry, type OwnedHooks } from '../../core/hooks/index.ts'
import { WaitingTime } from '../../core/hooks/waiting.ts'
import { until } from '../support/until.ts'

declare module '../../core/hooks/names.ts' {
  interface AsyncFilters {
    hanging_page: [html: string]
  }
}

/** Longer than any test: what waits for it fails. */
const LONG = 600_000

describe('a callback that hangs', () => {
  let registry: HookRegistry
  let bad: OwnedHooks
  let unload: AbortController
  let limits: { callback: number; request: number }
  let request: WaitingTime
  let blamed: string[]
  let abandoned: number
  /** What each call of the callback waits for. */
  let calls: PromiseWithResolvers<string>[]
  const hang = (_html: string) => {
    const call = Promise.withResolvers<string>()
    calls.push(call)
    return call.promise
  }

  beforeEach(() => {
    limits = { callback: 20, request: LONG }
    blamed = []
    calls = []
    abandoned = 0
    unload = new AbortController()
    registry = createHooks({ request: { waiting: () => request, limits: () => limits } })
    bad = registry.forOwner({
      id: 'bad',
      signal: unload.signal,
      onError: (error) => void blamed.push(error instanceof Error ? error.message : String(error)),
      onUndefined: () => {},
      onAbandoned: () => void abandoned++,
    })
  })

  /** A page of a request of its own. */
  function ask(): Promise<string> {
    request = new WaitingTime()
    return registry.applyFiltersAsync('hanging_page', 'page')
  }
  /** One call takes too long; from then on whoever waits does so for long. */
  async function findHanging(): Promise<void> {
    expect(await ask()).to.equal('page')
    expect(blamed).to.deep.equal(['A callback of hanging_page took longer than 20 ms.'])
    limits = { callback: LONG, request: LONG }
  }

  it('is awaited once: later requests call it and continue immediately', async () => {
    bad.addFilter('hanging_page', hang)
    registry.addFilter('hanging_page', (html) => `${html}, filtered by others`, 20)
    expect(await ask()).to.equal('page, filtered by others')
    limits = { callback: LONG, request: LONG }
    expect(await ask()).to.equal('page, filtered by others')
    expect(await ask()).to.equal('page, filtered by others')
    expect(calls).to.have.length(3)
    // A deactivation need not wait for these calls either.
    expect(abandoned).to.equal(3)
    expect(blamed).to.have.length(1)
  })

  it('counts a fault for each request that finds it so: it is paused as if all had waited', async () => {
    bad.addFilter('hanging_page', hang)
    for (let view = 1; view <= 5; view++) {
      expect(await ask()).to.equal('page')
      // The same request once more: by then it is known.
      expect(await registry.applyFiltersAsync('hanging_page', 'page')).to.equal('page')
    }
    await until(() => blamed.length === 5)
    expect(calls).to.have.length(5)
  })

  it('counts one fault for a request that waits for it in several places at once', async () => {
    bad.addFilter('hanging_page', hang)
    request = new WaitingTime()
    const parts = [1, 2, 3].map(() => registry.applyFiltersAsync('hanging_page', 'page'))
    expect(await Promise.all(parts)).to.deep.equal(['page', 'page', 'page'])
    expect(blamed).to.have.length(1)
  })

  it('is waited for again once the call that took too long has ended', async () => {
    bad.addFilter('hanging_page', hang)
    await findHanging()
    calls[0]?.resolve('late')
    await turn()
    const page = ask()
    await until(() => calls.length === 2)
    calls[1]?.resolve('in time')
    expect(await page).to.equal('in time')
    expect(blamed).to.have.length(1)
  })

  it('is waited for again once a later call was answered, though the first one is lost', async () => {
    bad.addFilter('hanging_page', hang)
    await findHanging()
    expect(await ask()).to.equal('page')
    calls[1]?.resolve('nobody waits for it')
    await turn()
    const page = ask()
    await until(() => calls.length === 3)
    calls[2]?.resolve('in time')
    expect(await page).to.equal('in time')
    expect(blamed).to.have.length(1)
  })

  it('is not considered hanging if a later call has finished meanwhile', async () => {
    bad.addFilter('hanging_page', (html) => (calls.length === 0 ? hang(html) : Promise.resolve('in time')))
    const [lost, fine] = [ask(), ask()]
    expect([await fine, await lost]).to.deep.equal(['in time', 'page'])
    expect(await ask()).to.equal('in time')
  })

  it('counts errors of calls that were abandoned', async () => {
    bad.addFilter('hanging_page', hang)
    await findHanging()
    expect(await ask()).to.equal('page')
    calls[1]?.reject(new Error('broken'))
    await until(() => blamed.length === 2)
    expect(blamed[1]).to.equal('broken')
  })

  it('takes part where it answers at once', async () => {
    bad.addFilter('hanging_page', (html) => (calls.length === 0 ? hang(html) : `${html}, at once`))
    await findHanging()
    expect(await ask()).to.equal('page, at once')
  })

  it('closes at once what it protects', async () => {
    bad.addFilter('hanging_page', hang, { onError: 'closed' })
    for (let view = 1; view <= 2; view++) {
      const answer = await ask().catch((error) => error)
      expect(answer).to.be.instanceOf(ContentClosed)
      limits = { callback: LONG, request: LONG }
    }
  })

  it('fills no memory: beyond five calls it is tried one at a time', async () => {
    bad.addFilter('hanging_page', hang)
    await findHanging()
    for (let view = 1; view <= 20; view++) await ask()
    expect(calls).to.have.length(5)
  })

  it('ends with its owner: nothing more is counted', async () => {
    bad.addFilter('hanging_page', hang)
    await findHanging()
    await ask()
    unload.abort(new Error('unloaded'))
    await turn()
    expect(await ask()).to.equal('page')
    expect(blamed).to.have.length(1)
  })

  it('is waited for each time on the bare registry, which skips nothing', async () => {
    registry.addFilter('hanging_page', hang)
    for (let view = 1; view <= 2; view++) {
      const error = await ask().catch((thrown) => thrown)
      expect(error)
        .to.be.instanceOf(Error)
        .with.property('message', 'A callback of hanging_page took longer than 20 ms.')
    }
  })
})
