import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { createDataVersion } from '../../cms/site/view/data-version.ts'
import { createPageDataCache } from '../../cms/site/view/page-data-cache.ts'
import { createHooks } from '../../core/hooks/index.ts'
import { type OpenContent, openContentTwice } from '../content/open-content.ts'
import { onEachDatabase } from '../support/databases.ts'

/** Milliseconds after which the cache looks for changes by other processes. */
const CHECKED = 1100

onEachDatabase('The data of pages', (databaseUrl) => {
  let site: OpenContent
  /** The same site in another process, such as a command. */
  let other: OpenContent
  before(async () => {
    ;[site, other] = await openContentTwice(await databaseUrl())
  })
  after(async () => {
    await other.close()
    await site.close()
  })

  /** A lookup of the title of a post, and how often it read the database. */
  function createLookup(isReadByStatus = () => true) {
    const cache = createPageDataCache(createHooks(), { dataVersion: createDataVersion(site.database), isReadByStatus })
    const lookup = {
      reads: 0,
      titleOf: cache.remember(async (id) => {
        lookup.reads++
        return (await site.content.posts.get(Number(id)))?.title
      }),
    }
    return lookup
  }

  it('are read again within a second after another process has changed them', async () => {
    const { id } = await other.content.posts.insert({ title: 'Before', authorId: 1 })
    const { titleOf } = createLookup()
    expect(await titleOf(String(id))).to.equal('Before')
    await wait(CHECKED)
    expect(await titleOf(String(id))).to.equal('Before')
    await other.content.posts.update(id, { title: 'After' })
    await wait(CHECKED)
    expect(await titleOf(String(id))).to.equal('After')
  })

  it('are cached up to the given number', async () => {
    const made: string[] = []
    const cache = createPageDataCache(createHooks(), {
      dataVersion: createDataVersion(site.database),
      isReadByStatus: () => true,
    })
    const find = cache.remember(async (key) => made.push(key), { entries: 2 })
    for (const key of ['a', 'b', 'b', 'c', 'a']) await find(key)
    expect(made).to.deep.equal(['a', 'b', 'c', 'a'])
  })

  it('take no memory before they are read', () => {
    const cache = createPageDataCache(createHooks(), {
      dataVersion: createDataVersion(site.database),
      isReadByStatus: () => true,
    })
    const used = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
    const before = used()
    const finders = Array.from({ length: 1000 }, () => cache.remember(async (key) => key))
    expect((used() - before) / finders.length).to.be.below(20_000)
  })

  it('are reused for longer while the database does not change', async () => {
    const { id } = await site.content.posts.insert({ title: 'Same', authorId: 1 })
    let unchanged = 0
    // PostgreSQL itself may write in the background.
    for (let tries = 0; tries < 5 && unchanged === 0; tries++) {
      const lookup = createLookup()
      await lookup.titleOf(String(id))
      await wait(CHECKED)
      await lookup.titleOf(String(id))
      if (lookup.reads === 1) unchanged++
    }
    expect(unchanged).to.equal(1)
  })

  it('are read again each second while an extension decides who can read what', async () => {
    const { id } = await site.content.posts.insert({ title: 'Same', authorId: 1 })
    const lookup = createLookup(() => false)
    await lookup.titleOf(String(id))
    await wait(CHECKED)
    await lookup.titleOf(String(id))
    expect(lookup.reads).to.equal(2)
  })
})
