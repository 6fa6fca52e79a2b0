import { expect } from 'chai'
import type { Change, Purge } from '../../cms/changes/types.ts'
import { createPurges, type PurgeRule, type Purges } from '../../plugins/speed/cache/purges.ts'

describe('createPurges', () => {
  const entry = (id: string, more: Partial<Change>): Change => ({
    ...{ id, time: '2026-01-01T00:00:00Z', type: 'purge', scope: 'urls', urls: [], tags: [] },
    ...{ reason: '', soft: false, cause: 'change' },
    ...more,
  })
  const toRule = ({ scope, urls, tags, soft }: Purge): PurgeRule | 'all' => {
    const paths = urls.map((url) => new URL(url).pathname)
    if (scope === 'pages') return 'all'
    return soft ? { stale: paths, staleTags: tags } : { paths, tags }
  }
  /** A page of an earlier process, which had applied the entry with that ID. */
  const from = (position: string) => ({ writer: 'another', position, moment: 1000 })

  const state = (purges: Purges, position: string, path: string, tag: string) => {
    const moment = purges.momentOf(from(position))
    if (moment === undefined) return 'unknown'
    const page = { path, tags: ['site', tag], moment }
    return purges.isPurged(page) ? 'purged' : purges.isStale(page) ? 'stale' : 'valid'
  }

  it('purges pages that were rendered before, by path or tag', () => {
    const purges = createPurges(() => null)
    const page = { path: '/a/', tags: ['post-1'], moment: purges.now() }
    purges.add({ paths: ['/b/'], tags: ['post-2'] })
    expect(purges.isPurged(page)).to.equal(false)
    purges.add({ tags: ['post-1'] })
    expect(purges.isPurged(page)).to.equal(true)
    expect(purges.isPurged({ ...page, moment: purges.now() })).to.equal(false)
    purges.add('all')
    expect(purges.isPurged({ path: '/c/', tags: [], moment: purges.now() - 1 })).to.equal(true)
    expect(purges.isPurged({ path: '/c/', tags: [], moment: purges.now() })).to.equal(false)
  })

  it('compares pages of earlier processes with the entries after their position', () => {
    const purges = createPurges(() => null)
    const entries = [
      entry('1', { tags: ['post-1'] }),
      entry('2', { urls: ['http://example.org/b/'] }),
      entry('3', { tags: ['post-3'], soft: true }),
      entry('4', { scope: 'pages' }),
      entry('5', { tags: ['post-1'] }),
    ]
    purges.addEarlier(entries.slice(0, 3), toRule)
    expect(state(purges, '0', '/a/', 'post-1')).to.equal('unknown')
    expect(state(purges, '1', '/a/', 'post-1')).to.equal('valid')
    expect(state(purges, '1', '/b/', 'post-2')).to.equal('purged')
    expect(state(purges, '2', '/b/', 'post-2')).to.equal('valid')
    expect(state(purges, '2', '/c/', 'post-3')).to.equal('stale')
    expect(state(purges, '3', '/c/', 'post-3')).to.equal('valid')
    purges.add({ tags: ['post-1'] })
    expect(state(purges, '3', '/a/', 'post-1')).to.equal('purged')

    const later = createPurges(() => null)
    later.addEarlier(entries, toRule)
    expect(state(later, '3', '/d/', 'post-4')).to.equal('purged')
    expect(state(later, '4', '/d/', 'post-4')).to.equal('valid')
    expect(state(later, '4', '/a/', 'post-1')).to.equal('purged')
    expect(state(later, '5', '/a/', 'post-1')).to.equal('valid')
  })

  it('compares pages of running processes with the entries that it has applied', () => {
    let position = '1'
    const purges = createPurges(() => position)
    const apply = (id: string, rule: PurgeRule | 'all') => {
      purges.add(rule, true)
      position = id
    }
    apply('2', { tags: ['post-2'] })
    apply('3', { tags: ['post-3'] })
    expect(state(purges, '1', '/b/', 'post-2')).to.equal('purged')
    expect(state(purges, '2', '/b/', 'post-2')).to.equal('valid')
    expect(state(purges, '2', '/c/', 'post-3')).to.equal('purged')
    expect(state(purges, '3', '/c/', 'post-3'), 'not noted yet').to.equal('unknown')
    purges.confirm(purges.now())
    expect(state(purges, '3', '/c/', 'post-3')).to.equal('valid')
    apply('4', 'all')
    purges.confirm(purges.now())
    expect(state(purges, '3', '/c/', 'post-3')).to.equal('purged')
    expect(state(purges, '4', '/c/', 'post-3')).to.equal('valid')
  })

  it('takes no page of another process for newer than its own purges until they are in the log', () => {
    let position = '1'
    const purges = createPurges(() => position)
    const confirmed = purges.now()
    purges.add({ tags: ['post-1'] })
    // The other process knows its own purge, but not this one.
    purges.add({ tags: ['post-2'] }, true)
    position = '2'
    purges.confirm(confirmed)
    expect(state(purges, '2', '/a/', 'post-1')).to.equal('purged')
    expect(state(purges, '2', '/c/', 'post-3')).to.equal('valid')
    position = '3'
    purges.confirm(purges.now())
    expect(state(purges, '2', '/a/', 'post-1')).to.equal('purged')
    expect(state(purges, '3', '/a/', 'post-1')).to.equal('valid')
  })

  it('knows the moment of pages that it has written itself', () => {
    const purges = createPurges(() => null)
    expect(purges.momentOf({ writer: purges.writer, position: 'any', moment: 7 })).to.equal(7)
  })

  it('purges all pages rather than remembering more than 100,000 paths and tags', () => {
    const purges = createPurges(() => null)
    const page = { path: '/other/', tags: [], moment: purges.now() }
    purges.add({ paths: Array.from({ length: 100_000 }, (_, at) => `/${at}/`) })
    expect(purges.isPurged(page)).to.equal(false)
    const { version } = purges
    purges.add({ stale: ['/one-more/'] })
    expect(purges.isPurged(page)).to.equal(true)
    expect(purges.version).to.be.above(version)
  })
})
