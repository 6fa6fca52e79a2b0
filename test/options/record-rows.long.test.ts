import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import { z } from 'zod'
import { openRecordRows } from '../../app/options/record-rows.ts'
import { createDatabase } from '../../core/database/index.ts'
import { createHooks } from '../../core/hooks/index.ts'
import { createLog } from '../../core/log.ts'
import { createPostgresDatabase, postgresBinaries } from '../support/postgres.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'
import { openParts } from './parts.ts'

const WRITER = join(import.meta.dirname, 'writer.ts')

describe('options in PostgreSQL', () => {
  let databaseUrl: string
  const closers: (() => Promise<void>)[] = []
  before(function () {
    if (!postgresBinaries && process.env.CI !== 'true') this.skip()
  })
  beforeEach(async () => {
    databaseUrl = await createPostgresDatabase()
  })
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
  })

  /** The options of one process, with a site folder of its own. */
  async function open(siteDir = temporaryFolder()) {
    const database = await createDatabase({ siteDir, databaseUrl })
    closers.push(database.close)
    const hooks = createHooks()
    const parts = await openParts(siteDir, hooks, () => openRecordRows(database, siteDir, createLog('silent')))
    closers.unshift(parts.close)
    return { ...parts, file: join(siteDir, 'options.json'), database }
  }
  const copyIn = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

  it('are shared by processes with separate folders, which announce the changes of each other', async () => {
    const [left, right] = [await open(), await open()]
    const announced: unknown[] = []
    right.hooks.addAction('updated_option', (...change) => void announced.push(change))
    await left.options.update('color', { primary: 'red' })
    await until(() => announced.length > 0)
    expect(announced).to.deep.equal([['color', undefined, { primary: 'red' }, true]])
    expect(right.options.get('color')).to.deep.equal({ primary: 'red' })
    await right.options.delete('color')
    await until(() => left.options.get('color') === undefined)
    expect(left.options.names()).to.deep.equal([])
  })

  it('lose nothing if two processes change one record at the same time', async () => {
    const sides = [await open(), await open()]
    const add = (by: number) => (now: unknown) => (typeof now === 'number' ? now : 0) + by
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => sides[index % 2]?.options.modify('total', add(index + 1))),
    )
    expect((await open()).options.get('total')).to.equal((40 * 41) / 2)
  })

  it('reject an update that is based on an older version of settings', async () => {
    const schema = z.object({ greeting: z.string().default('Hello') })
    const sides = [await open(), await open()].map(({ settings }) => settings.register('hello', schema).settings)
    const results = await Promise.allSettled(
      sides.map((side, index) => side.updateVersion({ greeting: `Hi ${index}` }, [side.version()])),
    )
    const codes = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
    expect(codes).to.deep.equal(['settings_changed'])
  })

  it('are taken over from options.json at the first start only', async () => {
    const old = temporaryFolder()
    writeFileSync(join(old, 'options.json'), JSON.stringify({ color: 'red', size: 3 }))
    const first = await open(old)
    expect(first.options.get('color')).to.equal('red')
    await first.options.update('color', 'green')

    const stale = temporaryFolder()
    writeFileSync(join(stale, 'options.json'), JSON.stringify({ color: 'blue', left: 'over' }))
    const second = await open(stale)
    expect(second.options.names()).to.deep.equal(['color', 'size'])
    expect(second.options.get('color')).to.equal('green')
    expect(copyIn(second.file), 'the copy of the second process').to.deep.equal({ color: 'green', size: 3 })
  })

  it('are copied to options.json in each folder, for backups', async () => {
    const [left, right] = [await open(), await open()]
    await left.options.update('color', 'red')
    expect(copyIn(left.file)).to.deep.equal({ color: 'red' })
    await until(() => existsSync(right.file) && copyIn(right.file).color === 'red')
  })

  it('are replaced by a restored options.json, in all processes', async () => {
    const other = await open()
    const siteDir = temporaryFolder()
    const first = await open(siteDir)
    await first.options.update('color', 'red')
    await first.options.update('removed', 1)
    await until(() => other.options.get('removed') === 1)
    writeFileSync(join(siteDir, 'options.json'), JSON.stringify({ color: 'restored' }))
    writeFileSync(join(siteDir, 'options.import'), '')
    const { options } = await open(siteDir)
    expect(options.names()).to.deep.equal(['color'])
    expect(existsSync(join(siteDir, 'options.import'))).to.equal(false)
    await until(() => other.options.get('removed') === undefined)
    expect(other.options.get('color')).to.equal('restored')
  })

  it('are read again after a write failed', async () => {
    const side = await open()
    await side.options.update('color', 'red')
    await side.database.db.schema.alterTable('site_options').renameTo('elsewhere').execute()
    let failure: unknown
    await side.options.update('color', 'green').catch((error: unknown) => {
      failure = error
    })
    expect(failure).to.be.instanceOf(Error)
    expect(side.options.get('color')).to.equal('red')
    await side.database.db.schema.alterTable('elsewhere').renameTo('site_options').execute()
    await side.options.update('color', 'blue')
    expect((await open()).options.get('color')).to.equal('blue')
  })

  for (const killAfter of [1, 60, 237]) {
    it(`are all there after kill -9 at number ${killAfter} of 500`, async () => {
      const child = spawn(process.execPath, [WRITER, temporaryFolder(), 'key', '500', '4', databaseUrl], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const closed = once(child, 'close')
      const acknowledged: string[] = []
      for await (const line of createInterface({ input: child.stdout })) {
        acknowledged.push(line)
        if (acknowledged.length === killAfter) child.kill('SIGKILL')
      }
      const [, signal] = await closed
      expect(signal, 'killed in the middle').to.equal('SIGKILL')
      const found = (await open()).settings.register('writer', z.looseObject({})).settings.get()
      expect(acknowledged.filter((index) => found[`key${index}`] !== Number(index))).to.deep.equal([])
    })
  }
})
