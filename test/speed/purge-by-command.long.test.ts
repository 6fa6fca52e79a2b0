import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { wxrFile, wxrItem } from '../content/import/wxr-file.ts'
import { freePort } from '../support/free-port.ts'
import { pentad, type RunningSite, startPentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

describe('what a command changes while the site runs', () => {
  const siteDir = temporaryFolder()
  let site: RunningSite

  before(async () => {
    // Not configured, so commands have the address of the site from the running server.
    writeFileSync(join(siteDir, 'config.json'), '{}')
    site = await startPentad(siteDir, ['--port', String(await freePort())])
  })
  after(() => site.end())

  const visit = async (path: string) => {
    const answer = await fetch(site.url + path)
    return { text: await answer.text(), cache: answer.headers.get('x-cache') }
  }
  /** Visitors have it from the cache. */
  async function fill(path: string): Promise<void> {
    while ((await visit(path)).cache !== 'HIT') await wait(20)
  }
  async function run(...args: string[]): Promise<void> {
    const { code, errors } = await pentad(siteDir, args)
    expect(code, errors).to.equal(0)
  }

  it('pentad cache purge --dry-run: lists the pages on disk, removes none, and none of a site with another address', async () => {
    const stored = () =>
      readdirSync(join(siteDir, 'cache/pages'), { recursive: true, encoding: 'utf8' }).filter((name) =>
        /\/[\da-f]{64}$/.test(name),
      )
    const dryRun = async () => (await pentad(siteDir, ['cache', 'purge', '--all', '--dry-run'])).output.split('\n')
    await fill('/hello-world/')
    await until(async () => (await dryRun()).includes(`${site.url}/hello-world/`))
    const before = stored()
    const config = join(siteDir, 'config.json')
    const own = readFileSync(config)
    writeFileSync(config, JSON.stringify({ url: 'https://other.example' }))
    expect(await dryRun()).to.include('No cached page would be purged.')
    writeFileSync(config, own)
    // The site may have stored more pages meanwhile.
    expect(stored()).to.include.members(before)
    expect((await visit('/hello-world/')).cache).to.equal('HIT')
  })

  it('pentad import: visitors see what was imported', async () => {
    // The first one also brings the title of the old site, a setting, which is seen at once.
    for (const id of [501, 502]) {
      const title = `Moved here ${id}`
      await fill('/')
      expect((await visit('/')).text).to.not.contain(title)
      await run('import', wxrFile([wxrItem({ id, title })]))
      while (!(await visit('/')).text.includes(title)) await wait(50)
      await fill('/')
      expect((await visit('/')).text).to.contain(title)
    }
  })

  it('pentad extension activate: visitors see what the extension does', async () => {
    await fill('/item-501/')
    expect((await visit('/item-501/')).text).to.not.contain('min read')
    await run('extension', 'activate', 'reading-time')
    while (!(await visit('/item-501/')).text.includes('min read')) await wait(50)
    await run('extension', 'deactivate', 'reading-time')
    while ((await visit('/item-501/')).text.includes('min read')) await wait(50)
  })
})
