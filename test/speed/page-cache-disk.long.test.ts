import { existsSync } from 'node:fs'
import { glob, mkdir, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { expect } from 'chai'
import { sql } from 'kysely'
import { compress } from '../../plugins/speed/cache/encodings.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'
import { startBareCache } from './bare-cache.ts'
import { ask, cacheStateOf, countRenderings } from './cached-site.ts'

describe('Pages on disk', () => {
  let siteDir: string
  const url = 'http://example.org'
  const headers = { host: 'example.org' }
  beforeEach(() => {
    siteDir = temporaryFolder()
  })

  const start = () => startBareCache({ siteDir, url })
  const pagesDir = () => join(siteDir, 'cache/pages')
  async function files(): Promise<string[]> {
    // Unlike `readdir` it can bear that folders go while it looks.
    const found = await Array.fromAsync(glob('**', { cwd: pagesDir(), withFileTypes: true }))
    return found
      .filter((entry) => entry.isFile() && /^[\da-f]{64}$/.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name))
  }
  /** An earlier run of the site leaves these pages on its disk. */
  async function leave(paths: string[]): Promise<void> {
    const { site } = await start()
    for (const path of paths) await ask(site, path, { headers })
    await until(async () => (await files()).length === paths.length)
    await site.close()
  }

  it('are answered after a restart without being rendered', async () => {
    await leave(['/hello-world/', '/'])
    const { site } = await start()
    const renderings = countRenderings(site)
    const answer = await ask(site, '/hello-world/', { headers: { ...headers, 'accept-encoding': 'br' } })
    expect([answer.headers['x-cache'], answer.headers['content-encoding']]).to.deep.equal(['HIT', 'br'])
    expect(renderings.size).to.equal(0)
    await site.close()
  })

  for (const [what, damage] of Object.entries({
    'cut off': (content: Buffer) => content.subarray(0, content.length - 10),
    altered: (content: Buffer) => Buffer.concat([content.subarray(0, -1), Buffer.from('x')]),
    empty: () => Buffer.alloc(0),
    'of another page': (content: Buffer) =>
      Buffer.from(content.toString('latin1').replace('/hello-world/', '/jello-world/'), 'latin1'),
  })) {
    it(`are never answered when they are ${what}`, async () => {
      await leave(['/hello-world/'])
      for (const path of await files()) await writeFile(path, damage(await readFile(path)))
      const { site } = await start()
      const answer = await ask(site, '/hello-world/', { headers })
      expect([answer.status, answer.headers['x-cache']]).to.deep.equal([200, 'MISS'])
      expect(answer.body.toString()).to.match(/<\/html>\s*$/)
      await site.close()
    })
  }

  it('are found after a restart, despite other files in the folder', async () => {
    await leave(['/hello-world/', '/'])
    const [file = ''] = await files()
    const foreign = join(siteDir, 'foreign')
    await mkdir(join(file, '..', '0-folder'))
    const leftover = join(file, '..', '.leftover.tmp')
    for (const path of [leftover, join(file, '..', '.fresh.tmp')]) await writeFile(path, '')
    await utimes(leftover, 0, 0)
    await mkdir(foreign)
    await writeFile(join(foreign, 'precious'), 'kept')
    await symlink(foreign, join(file, '..', '1-link'))
    await symlink(foreign, join(pagesDir(), '2-link'))
    const { site, cache } = await start()
    await ask(site, '/', { headers })
    await until(() => [...cache.list()].length === 2)
    // Another process may still write the fresh one.
    const kept = ['.fresh.tmp', ...(await files()).map((path) => basename(path))]
    expect((await readdir(join(file, '..'))).sort()).to.deep.equal(kept.sort())
    expect(await readFile(join(foreign, 'precious'), 'utf8')).to.equal('kept')
    await site.close()
  })

  it('are not read through symbolic links, whose targets are not removed', async () => {
    await leave(['/hello-world/'])
    const [file = ''] = await files()
    const folder = dirname(file)
    const elsewhere = join(siteDir, 'elsewhere')
    await rename(folder, elsewhere)
    await writeFile(join(elsewhere, 'precious'), 'kept')
    await symlink(elsewhere, folder)
    const { site } = await start()
    expect(await cacheStateOf(site, '/', headers)).to.equal('MISS')
    await until(async () => (await files()).length === 1)
    expect(existsSync(folder)).to.equal(false)
    expect(await readFile(join(elsewhere, 'precious'), 'utf8')).to.equal('kept')
    await site.close()
  })

  it('that were purged do not come back', async () => {
    await leave(['/hello-world/', '/'])
    const kept = await Promise.all((await files()).map(async (path) => ({ path, content: await readFile(path) })))
    const first = await start()
    first.cache.purge({ urls: ['/hello-world/'] })
    // A part of the performance service that is missing here does both.
    first.site.host.hooks.doAction('purge_pages', { urls: ['/hello-world/'] })
    await first.site.close()
    // As if another process had written them.
    for (const { path, content } of kept) await writeFile(path, content)
    const { site } = await start()
    expect(await cacheStateOf(site, '/hello-world/', headers)).to.equal('MISS')
    expect(await cacheStateOf(site, '/', headers)).to.equal('HIT')
    await site.close()
  })

  it('are written before the site closes, however short it ran', async () => {
    const { site } = await start()
    for (const path of ['/hello-world/', '/']) await ask(site, path, { headers })
    await site.close()
    expect(await files()).to.have.length(2)
  })

  it('are not written by a version that was unloaded: purges no longer reach it', async () => {
    const { site } = await start()
    await ask(site, '/hello-world/', { headers })
    await until(async () => (await files()).length === 1)
    // Pages are written once earlier purges are recorded, or after a second.
    await sql`create trigger held before insert on change_log when new.type = 'purge'
      begin select raise(abort, 'held'); end`.execute(site.host.database.db)
    site.host.hooks.doAction('purge_pages', { tags: ['other'] })
    expect(await cacheStateOf(site, '/', headers)).to.equal('MISS')
    await site.host.extensions.deactivate('page-cache')
    await sql`drop trigger held`.execute(site.host.database.db)
    await site.close()
    expect(await files()).to.have.length(1)
  })

  it('are listed by a process with another address, which removes them only once it serves pages', async () => {
    await leave(['/hello-world/'])
    const [file = ''] = await files()
    const other = await startBareCache({ siteDir, url: 'http://other.example' })
    expect(other.cache.find('all')).to.deep.equal([])
    await other.cache.loadIndex()
    expect(existsSync(file)).to.equal(true)
    await ask(other.site, '/', { headers: { host: 'other.example' } })
    await until(() => !existsSync(file))
    await other.site.close()
  })

  it('are not created for pages that are still being rendered when the site closes', async () => {
    const { site, cache } = await start()
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    site.host.hooks.addFilter('page_html', async (html) => {
      begun.resolve()
      await held.promise
      return html
    })
    const warmed = cache.warm('/hello-world/')
    await begun.promise
    await site.close()
    await rm(join(siteDir, 'cache'), { recursive: true })
    held.resolve()
    await warmed
    expect(await readdir(siteDir)).to.not.include('cache')
  })

  it('are gone after a purge of everything, files and all', async () => {
    await leave(['/hello-world/', '/'])
    const { site, cache } = await start()
    cache.purge('all')
    await until(async () => (await files()).length === 0)
    expect(await cacheStateOf(site, '/', headers)).to.equal('MISS')
    await site.close()
  })

  it('are removed before a purge is over, so that a kill before it is recorded does not bring them back', async () => {
    await leave(['/hello-world/', '/'])
    const { site, cache } = await start()
    await ask(site, '/', { headers })
    await until(() => [...cache.list()].length === 2)
    const before = await files()
    cache.purge({ urls: ['/hello-world/'] })
    expect(before.filter((path) => existsSync(path))).to.have.length(1)
    cache.purge('all')
    expect(before.filter((path) => existsSync(path))).to.have.length(0)
    await site.close()
  })

  it('are written once the files that they wait for are generated', async () => {
    const { site, cache } = await start()
    let isOver = false
    site.host.hooks.addFilter('test_unfinished', (_, page) => !isOver && page === `${url}/hello-world/`)
    for (const path of ['/hello-world/', '/']) await ask(site, path, { headers })
    await until(async () => (await files()).length > 0)
    expect(await cacheStateOf(site, '/hello-world/', headers)).to.equal('HIT')
    expect(await files()).to.have.length(1)
    isOver = true
    cache.save([`${url}/hello-world/`])
    await until(async () => (await files()).length === 2)
    await site.close()
  })

  it('that were marked as stale are stale after a restart', async () => {
    await leave(['/hello-world/', '/'])
    const first = await start()
    first.site.host.hooks.doAction('purge_pages', { urls: ['/hello-world/'], soft: true })
    await first.site.close()
    const { site } = await start()
    expect(await cacheStateOf(site, '/hello-world/', headers)).to.equal('STALE')
    expect(await cacheStateOf(site, '/', headers)).to.equal('HIT')
    await site.close()
  })

  it('are not answered by another theme', async () => {
    await leave(['/hello-world/'])
    const { site } = await start()
    await site.host.settings.get('host')?.update({ theme: 'other' })
    expect(await cacheStateOf(site, '/hello-world/', headers)).to.equal('MISS')
    await site.close()
  })

  it('are not answered after an extension has come', async () => {
    await leave(['/hello-world/'])
    const { site } = await start()
    await site.host.extensions.activate('reading-time')
    expect(await cacheStateOf(site, '/hello-world/', headers)).to.equal('MISS')
    await site.close()
  })

  it('are not answered after a file of the theme has changed while the site was down', async () => {
    const file = join(siteDir, 'themes/default/templates/note.html')
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, 'before')
    await leave(['/hello-world/', '/'])
    const unchanged = await start()
    expect(await cacheStateOf(unchanged.site, '/', headers)).to.equal('HIT')
    await unchanged.site.close()
    await writeFile(file, 'after, and longer')
    const { site } = await start()
    expect(await cacheStateOf(site, '/hello-world/', headers)).to.equal('MISS')
    await site.close()
  })

  it('are not answered by another major version of Node', async () => {
    await leave(['/hello-world/', '/'])
    const own = process.versions
    const run = async (node: string, path: string) => {
      Object.defineProperty(process, 'versions', { value: { ...own, node } })
      try {
        const { site } = await start()
        const state = await cacheStateOf(site, path, headers)
        await site.close()
        return state
      } finally {
        Object.defineProperty(process, 'versions', { value: own })
      }
    }
    const major = Number(own.node.split('.')[0])
    expect(await run(`${major}.999.0`, '/')).to.equal('HIT')
    expect(await run(`${major + 1}.0.0`, '/hello-world/')).to.equal('MISS')
  })

  it('stay when settings of this service change, since a purge is to follow', async () => {
    await leave(['/hello-world/'])
    const { site } = await start()
    await site.host.settings.get('page-cache')?.update({ cacheTtlSeconds: 7_200, imageQuality: 50, minifyHtml: 'off' })
    expect(await cacheStateOf(site, '/hello-world/', headers)).to.equal('HIT')
    await site.close()
  })

  it('are dropped when the change log does not have their position, as after a restore', async () => {
    await leave(['/hello-world/'])
    const restored = await start()
    await restored.site.host.database.db.deleteFrom('change_log').execute()
    await restored.site.close()
    const { site } = await start()
    expect(await cacheStateOf(site, '/hello-world/', headers)).to.equal('MISS')
    await until(async () => (await files()).length === 1)
    await site.close()
    // It has an entry now.
    const next = await start()
    expect(await cacheStateOf(next.site, '/hello-world/', headers)).to.equal('HIT')
    await next.site.close()
  })

  it('of earlier versions are removed, with their log of purges', async () => {
    await leave(['/hello-world/'])
    const [file = ''] = await files()
    await writeFile(join(pagesDir(), 'purges.log'), '{"epoch":"0123456789abcdef01234567"}\n')
    await writeFile(join(file, '..', '0'.repeat(64)), 'former format')
    const { site } = await start()
    expect(await cacheStateOf(site, '/hello-world/', headers)).to.equal('HIT')
    await until(async () => (await files()).length === 1)
    expect(await readdir(pagesDir())).to.have.length(1)
    await site.close()
  })

  it('are done without where the folder cannot be used: pages are kept in memory, and purged', async () => {
    await writeFile(join(siteDir, 'cache'), 'no folder')
    const { site, cache } = await start()
    expect(await cacheStateOf(site, '/hello-world/', headers)).to.equal('MISS')
    expect(await cacheStateOf(site, '/hello-world/', headers)).to.equal('HIT')
    expect(cache.purge({ urls: ['/hello-world/'] })).to.have.length(1)
    expect(await cacheStateOf(site, '/hello-world/', headers)).to.equal('MISS')
    expect(await cacheStateOf(site, '/hello-world/', headers)).to.equal('HIT')
    await site.close()
  })

  it('hold what is asked for again, not what a flood asks for once', async () => {
    const { site } = await start()
    for (let at = 0; at < 20; at++) await ask(site, `/hello-world/?flood=${at}`, { headers })
    await ask(site, '/hello-world/?often=1', { headers })
    await ask(site, '/hello-world/?often=1', { headers })
    await until(async () => (await files()).length === 1)
    await site.close()
    expect(await files()).to.have.length(1)
  })

  it('take no more memory than their bytes, compressed or not', async () => {
    const bodies = await compress(Buffer.from('<p>Some text of a page.</p>'.repeat(300)))
    for (const body of [bodies.br, bodies.zstd, bodies.gzip]) expect(body?.buffer.byteLength).to.equal(body?.length)
  })

  it('and in memory stay in their budgets under a flood', async () => {
    const limits = { memory: 400_000, disk: 300_000, files: 20 }
    const { site, cache } = await startBareCache({ siteDir, url }, limits)
    for (let at = 0; at < 150; at++) {
      const path = `/hello-world/?flood=${at}`
      await Promise.all([ask(site, path, { headers }), ask(site, path, { headers })])
      await ask(site, path, { headers })
    }
    const listed = [...cache.list()]
    expect(listed.reduce((sum, page) => sum + page.size, 0)).to.be.below(limits.memory + limits.disk)
    await site.close()
    const found = await files()
    const bytes = await Promise.all(found.map(async (path) => (await stat(path)).size))
    expect(found.length).to.be.within(1, limits.files)
    expect(bytes.reduce((sum, size) => sum + size, 0)).to.be.below(limits.disk)
  })
})
