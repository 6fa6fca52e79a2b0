import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { fileNameOf } from '../../plugins/speed/cache/page-file.ts'
import { freePort } from '../support/free-port.ts'
import { pentad, startPentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'
import { ask, cacheStateOf } from './cached-site.ts'

describe('kill -9 directly after a change was confirmed', () => {
  it('loses no purge for caches in front of the site, whether of some pages or all', async () => {
    const siteDir = temporaryFolder()
    const port = String(await freePort())
    const start = () => startPentad(siteDir, ['--port', port])
    let site = await start()
    const created = await pentad(siteDir, ['user', 'app-password', 'admin', 'test'])
    const password = /(?:\w{4} ){5}\w{4}/.exec(created.output)?.[0] ?? ''
    await site.end()
    const headers = { authorization: `Basic ${btoa(`admin:${password}`)}`, 'content-type': 'application/json' }
    const inDatabase = <Result>(work: (database: DatabaseSync) => Result) => {
      const database = new DatabaseSync(join(siteDir, 'site.db'), { timeout: 10_000 })
      try {
        return work(database)
      } finally {
        database.close()
      }
    }
    const entries = () =>
      inDatabase((database) =>
        database.prepare("select scope, tags, reason from change_log where type = 'purge' order by seq").all(),
      )
    const isOnDisk = (path: string) =>
      readdirSync(join(siteDir, 'cache/pages'), { recursive: true, encoding: 'utf8' }).some(
        (name) => basename(name) === fileNameOf(path),
      )
    const fill = (path: string) => until(async () => (await cacheStateOf(site, path)) === 'HIT' && isOnDisk(path))
    const changeAndKill = async (path: string, body: object) => {
      site = await start()
      await fill('/hello-world/')
      // The log has an entry, and what the start purged is recorded.
      await ask(site, '/wp-json/host/v1/purge', { method: 'POST', headers, body: '{"urls":["/other/"]}' })
      const before = entries().length
      // A kill in time, however fast the site is: the change is confirmed after a second, although its purge cannot be recorded.
      const never =
        "create trigger never before insert on change_log when new.type = 'purge' begin select raise(abort, 'killed'); end"
      inDatabase((database) => database.exec(never))
      const change = { method: 'POST', headers, body: JSON.stringify(body) }
      expect((await ask(site, path, change)).status).to.equal(200)
      await site.end('SIGKILL')
      inDatabase((database) => database.exec('drop trigger never'))
      expect(entries()).to.have.lengthOf(before)
      return before
    }

    let before = await changeAndKill('/wp-json/wp/v2/posts/1', { title: 'Changed' })
    site = await start()
    expect((await ask(site, '/hello-world/')).body.toString()).to.include('Changed')
    await until(() => entries().length > before)
    await site.end()
    const isOfPost = ({ scope, tags }: Record<string, unknown>) =>
      scope === 'pages' || String(tags).includes('"post-1"')
    expect(entries().slice(before).some(isOfPost)).to.equal(true)

    before = await changeAndKill('/wp-json/wp/v2/settings', { title: 'Another name' })
    site = await start()
    expect((await ask(site, '/hello-world/')).body.toString()).to.include('Another name')
    await until(() => entries().length > before)
    await site.end()
    expect(
      entries()
        .slice(before)
        .map(({ scope }) => scope),
    ).to.include('pages')

    // Without a change in progress, a kill purges nothing.
    site = await start()
    await fill('/hello-world/')
    before = entries().length
    await site.end('SIGKILL')
    site = await start()
    expect(await cacheStateOf(site, '/hello-world/')).to.equal('HIT')
    await site.end()
    expect(entries()).to.have.lengthOf(before)
  })
})
