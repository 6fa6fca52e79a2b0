import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { sql } from 'kysely'
import { joinSharedCode, type SharedCode } from '../../app/shared-code/index.ts'
import { markUntrustedCode } from '../../cms/untrusted-code.ts'
import { createDatabase, type SiteDatabase } from '../../core/database/index.ts'
import { loadSiteKey } from '../../core/options/index.ts'
import { openParts, rejection } from '../options/parts.ts'
import { temporaryFolder } from '../support/site-folder.ts'

const TWO_DAYS = 2 * 24 * 3_600_000

interface Node extends Awaited<ReturnType<typeof openParts>> {
  readonly code: SharedCode
  /** Follows what the other nodes have stored. */
  follow(): Promise<void>
  write(path: string, content: string): void
  read(path: string): string | undefined
}

describe('The code of a node', () => {
  /** Folder of the database and the options. */
  let shared: string
  let database: SiteDatabase
  let running: Node[]

  beforeEach(async () => {
    shared = temporaryFolder()
    loadSiteKey(shared)
    database = await createDatabase({ siteDir: shared })
    running = []
  })
  afterEach(async () => {
    for (const node of running) await node.close()
    await database.close()
  })

  async function start(siteDir = temporaryFolder(), siteKey = loadSiteKey(shared)): Promise<Node> {
    const parts = await openParts(shared)
    const hooks = parts.hooks
    const code = await joinSharedCode(
      { ...parts, hooks, database, siteKey, config: { siteDir }, onListen: () => {}, onClose: () => {} },
      true,
    )
    const node: Node = {
      ...parts,
      siteDir,
      code,
      async follow() {
        await parts.options.catchUp()
        await code.pull()
      },
      write(path, content) {
        mkdirSync(dirname(join(siteDir, path)), { recursive: true })
        writeFileSync(join(siteDir, path), content)
      },
      read: (path) => (existsSync(join(siteDir, path)) ? readFileSync(join(siteDir, path), 'utf8') : undefined),
    }
    await node.follow()
    running.push(node)
    return node
  }

  async function stop(node: Node): Promise<void> {
    running.splice(running.indexOf(node), 1)
    await node.code.pull()
    await node.close()
  }

  async function restart(node: Node): Promise<Node> {
    await stop(node)
    return start(node.siteDir)
  }

  const makeOld = () =>
    database.db
      .updateTable('shared_code')
      .set({ created: Date.now() - TWO_DAYS })
      .execute()

  const archives = async () => (await database.db.selectFrom('shared_code').select('hash').execute()).length

  /** A node with an extension, and another one that has fetched it. */
  async function startTwo(): Promise<[Node, Node]> {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'extensions/hello'), { recursive: true })
    writeFileSync(join(folder, 'extensions/hello/index.ts'), 'one')
    const first = await start(folder)
    const second = await start()
    expect(second.read('extensions/hello/index.ts')).to.equal('one')
    return [first, second]
  }

  /** Replaces the files of a node as a restore does. */
  async function restoreFiles(node: Node, { trusted }: { readonly trusted: boolean }): Promise<void> {
    for (const kind of ['extensions', 'themes']) {
      mkdirSync(join(node.siteDir, kind), { recursive: true })
      if (!trusted) await markUntrustedCode(join(node.siteDir, kind))
    }
    node.write('code.import', '')
  }

  it('is not taken from an installation in progress on the same node', async () => {
    const [first, second] = await startTwo()
    // As an installation leaves them until the extension has started.
    first.write('extensions/.new-other/index.ts', 'being unpacked')
    renameSync(join(first.siteDir, 'extensions/hello'), join(first.siteDir, 'extensions/.old-hello'))
    first.write('extensions/hello/index.ts', 'two')
    second.write('extensions/other/index.ts', 'other')
    await second.code.push('extensions', 'other')
    await first.follow()
    expect(first.read('extensions/other/index.ts')).to.equal('other')
    expect(first.read('extensions/.new-other/index.ts')).to.equal('being unpacked')
    expect(first.read('extensions/.old-hello/index.ts')).to.equal('one')
  })

  it('is the previous version again after an update that failed, also if that was stored long ago', async () => {
    const [first, second] = await startTwo()
    await makeOld()
    first.write('extensions/hello/index.ts', 'two')
    const undo = await first.code.push('extensions', 'hello')
    await second.follow()
    expect(second.read('extensions/hello/index.ts')).to.equal('two')
    first.write('extensions/hello/index.ts', 'one')
    await undo()
    await second.follow()
    expect(second.code.missing()).to.deep.equal([])
    expect(second.read('extensions/hello/index.ts')).to.equal('one')
  })

  it('keeps changes that were made by hand and could not be stored', async () => {
    let [first] = await startTwo()
    first.write('extensions/hello/index.ts', 'two')
    running.splice(running.indexOf(first), 1)
    await first.close()
    expect(await rejection(first.code.push('extensions', 'hello'))).to.be.an('error')
    first = await start(first.siteDir)
    expect(first.read('extensions/hello/index.ts')).to.equal('two')
  })

  it('stays there if an update of restored files fails', async () => {
    let [first] = await startTwo()
    await stop(first)
    await restoreFiles(first, { trusted: false })
    first = await start(first.siteDir)
    first.write('extensions/hello/index.ts', 'two')
    const undo = await first.code.push('extensions', 'hello')
    first.write('extensions/hello/index.ts', 'one')
    await undo()
    first = await restart(first)
    expect(first.read('extensions/hello/index.ts')).to.equal('one')
  })

  it('stays there, untrusted, after a restore of an unsigned backup, and is shared once it is trusted', async () => {
    let [first, second] = await startTwo()
    await stop(first)
    await restoreFiles(first, { trusted: false })
    first = await start(first.siteDir)
    expect(first.read('extensions/hello/index.ts')).to.equal('one')
    expect(readdirSync(join(first.siteDir, 'extensions/.foreign'))).to.deep.equal(['hello'])
    await second.follow()
    expect(second.read('extensions/hello/index.ts')).to.equal(undefined)
    second = await restart(second)
    first = await restart(first)
    expect(first.read('extensions/hello/index.ts')).to.equal('one')
    rmSync(join(first.siteDir, 'extensions/.foreign/hello'))
    first = await restart(first)
    expect(first.read('extensions/hello/index.ts')).to.equal('one')
    await second.follow()
    expect(second.read('extensions/hello/index.ts')).to.equal('one')
  })

  it('is trusted where the same files are untrusted, if another node has stored them', async () => {
    const [first, second] = await startTwo()
    await markUntrustedCode(join(second.siteDir, 'extensions'))
    first.write('extensions/hello/index.ts', 'two')
    await first.code.push('extensions', 'hello')
    second.write('extensions/hello/index.ts', 'two')
    await second.follow()
    expect(readdirSync(join(second.siteDir, 'extensions/.foreign'))).to.deep.equal([])
  })

  it('is removed from the other nodes if it was installed after the backup that is restored', async () => {
    let [first, second] = await startTwo()
    const backup = structuredClone(first.options.get('host_shared_code')) ?? null
    first.write('extensions/later/index.ts', 'later')
    await first.code.push('extensions', 'later')
    await second.follow()
    expect(second.read('extensions/later/index.ts')).to.equal('later')
    await stop(first)
    rmSync(join(first.siteDir, 'extensions/later'), { recursive: true })
    await restoreFiles(first, { trusted: true })
    await second.options.update('host_shared_code', backup)
    await second.code.pull()
    first = await start(first.siteDir)
    await second.follow()
    expect(second.read('extensions/later/index.ts')).to.equal(undefined)
    second = await restart(second)
    first = await restart(first)
    expect(first.read('extensions/later/index.ts')).to.equal(undefined)
    expect(first.read('extensions/hello/index.ts')).to.equal('one')
  })

  it('of a restore is imported completely, or not yet', async () => {
    let [first] = await startTwo()
    first.write('extensions/former/index.ts', 'former')
    await first.code.push('extensions', 'former')
    const before = first.options.get('host_shared_code')
    await stop(first)
    rmSync(join(first.siteDir, 'extensions/former'), { recursive: true })
    first.write('extensions/hello/index.ts', 'restored')
    await restoreFiles(first, { trusted: true })
    await sql`create trigger fails before insert on shared_code begin select raise(abort, 'full'); end`.execute(
      database.db,
    )
    first = await start(first.siteDir)
    expect(first.options.get('host_shared_code')).to.deep.equal(before)
    expect(first.code.missing()).to.deep.equal(['extensions', 'themes'])
    await sql`drop trigger fails`.execute(database.db)
    await first.follow()
    expect(first.code.missing()).to.deep.equal([])
    expect(existsSync(join(first.siteDir, 'code.import'))).to.equal(false)
    expect(first.read('extensions/former/index.ts')).to.equal(undefined)
    expect(first.read('extensions/hello/index.ts')).to.equal('restored')
  })

  it('does not include folders without files', async () => {
    const first = await start()
    mkdirSync(join(first.siteDir, 'themes/empty/templates'), { recursive: true })
    const second = await start((await restart(first)).siteDir)
    const third = await start()
    expect(second.code.missing()).to.deep.equal([])
    expect(third.code.missing()).to.deep.equal([])
  })

  it('may contain files that cannot be shared, until another node stores a newer version', async () => {
    let [first, second] = await startTwo()
    await stop(first)
    first.write('extensions/hello/a:b.txt', 'odd')
    first = await start(first.siteDir)
    expect(first.code.missing()).to.deep.equal([])
    expect(first.read('extensions/hello/a:b.txt')).to.equal('odd')
    expect(first.logged.join('')).to.include('files not shared with the other nodes')
    second.write('extensions/hello/index.ts', 'two')
    await second.code.push('extensions', 'hello')
    await first.follow()
    expect(first.read('extensions/hello/index.ts')).to.equal('two')
    const [aside = ''] = readdirSync(join(first.siteDir, 'tmp')).filter((name) => name.startsWith('replaced-'))
    expect(first.read(`tmp/${aside}/a:b.txt`)).to.equal('odd')
  })

  it('counts as missing until it could be compared with the database', async () => {
    const [first] = await startTwo()
    first.write('themes/plain/style.css', '')
    await first.code.push('themes', 'plain')
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'extensions/own'), { recursive: true })
    writeFileSync(join(folder, 'extensions/own/index.ts'), 'own')
    await sql`create trigger fails before insert on shared_code begin select raise(abort, 'full'); end`.execute(
      database.db,
    )
    const third = await start(folder)
    expect(third.read('themes/plain/style.css')).to.equal(undefined)
    expect(third.code.missing()).to.deep.equal(['extensions', 'themes'])
    await sql`drop trigger fails`.execute(database.db)
    await third.follow()
    expect(third.read('themes/plain/style.css')).to.equal('')
    expect(third.code.missing()).to.deep.equal([])
  })

  it('is stored even if old archives cannot be deleted', async () => {
    const [first, second] = await startTwo()
    first.write('extensions/hello/index.ts', 'two')
    await first.code.push('extensions', 'hello')
    await makeOld()
    await sql`create trigger fails before delete on shared_code begin select raise(abort, 'locked'); end`.execute(
      database.db,
    )
    first.write('extensions/hello/index.ts', 'three')
    await first.code.push('extensions', 'hello')
    await second.follow()
    expect(second.read('extensions/hello/index.ts')).to.equal('three')
    expect(first.logged.join('')).to.include('could not delete unused archives')
  })

  it('is removed when its node starts again after it stopped in the middle of a removal', async () => {
    let [first, second] = await startTwo()
    // It never gets to deleting the files, as if its process had ended.
    const removing = Promise.withResolvers<void>()
    const stopped = new Promise<void>(() => {})
    void first.code.remove('extensions', 'hello', () => {
      removing.resolve()
      return stopped
    })
    await removing.promise
    await second.follow()
    expect(second.read('extensions/hello/index.ts')).to.equal(undefined)
    rmSync(join(first.siteDir, 'tmp/shared-code.lock'))
    running.splice(running.indexOf(first), 1)
    await first.close()
    first = await start(first.siteDir)
    expect(first.read('extensions/hello/index.ts')).to.equal(undefined)
  })

  it('stays on the other nodes if its files cannot be deleted', async () => {
    const [first, second] = await startTwo()
    const error = await rejection(
      first.code.remove('extensions', 'hello', async () => {
        throw new Error('read-only')
      }),
    )
    expect(error).to.have.property('message', 'read-only')
    await second.follow()
    expect(second.read('extensions/hello/index.ts')).to.equal('one')
    expect((await start()).read('extensions/hello/index.ts')).to.equal('one')
  })

  it('leaves no archive in the database for long after its removal', async () => {
    const [first] = await startTwo()
    await first.code.remove('extensions', 'hello', async () =>
      rmSync(join(first.siteDir, 'extensions/hello'), { recursive: true }),
    )
    await makeOld()
    first.write('themes/plain/style.css', '')
    await first.code.push('themes', 'plain')
    expect(await archives()).to.equal(1)
  })

  it('is not fetched if it was stored without the key of the site', async () => {
    await startTwo()
    const stranger = await start(temporaryFolder(), loadSiteKey(temporaryFolder()))
    expect(stranger.code.missing()).to.deep.equal(['extensions/hello'])
    expect(stranger.read('extensions/hello/index.ts')).to.equal(undefined)
  })
})
