import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import packageJson from '../../package.json' with { type: 'json' }
import { startBucket } from '../support/bucket.ts'
import { type Cluster, startCluster } from '../support/cluster.ts'
import { freePort } from '../support/free-port.ts'
import { pentad } from '../support/pentad.ts'
import { postgresBinaries } from '../support/postgres.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'
import { createLoad, createNginx } from './nginx-load.ts'

const PROJECT = join(import.meta.dirname, '../..')
const NEXT = '1.999.0'
/** What a version consists of; the rest is linked. */
const SOURCES = ['core', 'cms', 'app', 'cli', 'plugins', 'extensions', 'themes', 'package.json']

/** Of the old version, with settings and a table. */
const NOTES = `import { defineExtension } from 'pentad'
import { z } from 'zod'
export default defineExtension({
  id: 'notes', name: 'Notes', version: '1.0.0', description: 'Has settings and a table.',
  async setup({ settings, database, rest }) {
    await database.migrate('notes', {
      '001_notes': { up: (db) => db.schema.createTable('notes').addColumn('text', 'text').execute() },
    })
    const options = settings.register(z.object({ color: z.enum(['red', 'blue']).default('red'), size: z.int().default(1) }))
    rest.registerRoute('notes/v1', { method: 'POST', path: '/note', access: 'public', async handler() {
      await database.db.insertInto('notes').values({ text: 'note' }).execute()
      return options.get()
    } })
  },
})
`

/** Its next version: another migration, another color, and a setting that the old one does not have. */
const NEXT_NOTES = NOTES.replace(
  "await database.migrate('notes', {",
  `await database.migrate('notes', {
      '002_number': { up: (db) => db.schema.alterTable('notes').addColumn('number', 'integer').execute() },`,
)
  .replace("['red', 'blue']", "['red', 'blue', 'green']")
  .replace('size:', "note: z.string().default(''), size:")
  .replace("'1.0.0'", "'2.0.0'")

/** A copy of the project with a higher version and one more migration of a table that every page reads and every change writes to. */
function createNextVersion(): string {
  const folder = temporaryFolder()
  for (const source of SOURCES) cpSync(join(PROJECT, source), join(folder, source), { recursive: true })
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'admin'))
  for (const part of ['dist', 'src', 'package.json', 'languages']) {
    symlinkSync(join(PROJECT, 'admin', part), join(folder, 'admin', part))
  }
  const change = (file: string, from: string, to: string) => {
    const text = readFileSync(join(folder, file), 'utf8')
    expect(text).to.include(from)
    writeFileSync(join(folder, file), text.replace(from, to))
  }
  change('package.json', `"version": "${packageJson.version}"`, `"version": "${NEXT}"`)
  const migration = `db.schema.alterTable('change_log').addColumn('of_next', 'text').execute()`
  change(
    'cms/changes/tables.ts',
    `'004_requests': {`,
    `'006_next': { up: (db) => ${migration} },\n    '004_requests': {`,
  )
  return join(folder, 'cli/index.ts')
}

describe('Two nodes behind nginx', () => {
  before(function () {
    if (!postgresBinaries && process.env.CI !== 'true') this.skip()
  })

  it('are upgraded to the next version one after the other, with migrations, without a failed request', async () => {
    const command = createNextVersion()
    const folder = temporaryFolder()
    const extensions = ['old', 'next'].map((version) => join(folder, version))
    for (const [index, source] of [NOTES, NEXT_NOTES].entries()) {
      mkdirSync(join(extensions[index] ?? '', 'notes'), { recursive: true })
      writeFileSync(join(extensions[index] ?? '', 'notes/index.ts'), source)
    }
    const [port = 0, ...ports] = [await freePort(), await freePort(), await freePort()]
    const url = `http://127.0.0.1:${port}`
    const bucket = await startBucket()
    const cluster = await startCluster(
      () => ({ url, storageUrl: bucket.storageUrl, extensionsDir: extensions[0] }),
      ports,
    )
    const { code, errors } = await pentad(cluster.folders[0] ?? '', ['extension', 'activate', 'notes'])
    expect(code, errors).to.equal(0)
    await until(async () => (await note(cluster, 1)) !== undefined)
    const nginx = createNginx(port, ports)
    const archive = await backUp(cluster)
    await nginx.start()
    const load = createLoad(url)
    const writer = createWriter(cluster, `127.0.0.1:${port}`)
    try {
      for (const node of [0, 1]) {
        await load.answered(50)
        expect(await cluster.nodes[node]?.end()).to.equal(0)
        await load.answered(50)
        setExtensions(cluster, node, extensions[1] ?? '')
        await cluster.start(node, command)
        await load.answered(50)
        if (node === 1) continue
        const { output } = await pentad(cluster.folders[1] ?? '', ['doctor', '--json'])
        expect(output).to.include(`(${packageJson.version}, `).and.include(`(${NEXT}, `)
        await writer.written(10)
        // The new node stores what the old one does not know, and the old one keeps it.
        await set(cluster, 0, { note: 'kept', color: 'green' })
        expect(await note(cluster, 1)).to.include({ color: 'red', size: 1 })
        await set(cluster, 1, { size: 2 })
        expect(await note(cluster, 0)).to.include({ color: 'green', note: 'kept', size: 2 })
      }
      await writer.written(10)
    } finally {
      const outcomes = await load.end()
      const faults = await writer.end()
      await nginx.remove()
      await cluster.end()
      expect(outcomes).to.deep.equal(['200'])
      expect(faults).to.deep.equal([])
    }
    await expectDowngrade(cluster, archive, extensions[0] ?? '')
    await bucket.stop()
  })
})

function setExtensions({ folders }: Cluster, node: number, extensionsDir: string): void {
  const file = join(folders[node] ?? '', 'config.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), extensionsDir }))
}

/** @returns the path of the archive */
async function backUp(cluster: Cluster): Promise<string> {
  const { code, output, errors } = await pentad(cluster.folders[0] ?? '', ['backup', 'create'])
  expect(code, errors).to.equal(0)
  const [, id = ''] = /Backup (\S+) created/.exec(output) ?? []
  const path = `/wp-json/backup/v1/backup/download?backupId=${id}`
  const archive = join(temporaryFolder(), 'archive.tar.gz')
  writeFileSync(archive, (await cluster.send(0, 'GET', path, { asAdmin: true })).bytes)
  return archive
}

/** The old version does not start with the new tables, but restores the backup, and then runs as before. */
async function expectDowngrade(cluster: Cluster, archive: string, extensionsDir: string): Promise<void> {
  for (const node of [0, 1]) setExtensions(cluster, node, extensionsDir)
  const folder = cluster.folders[0] ?? ''
  const tried = await pentad(folder, ['start', '--port', '0'])
  expect(tried).to.include({ code: 1 })
  expect(tried.errors).to.include('migrated by a newer version')
  const { code, errors } = await pentad(folder, ['backup', 'restore', archive])
  expect(code, errors).to.equal(0)
  for (const node of [0, 1]) {
    await cluster.start(node)
    expect(await note(cluster, node)).to.deep.equal({ color: 'red', size: 1 })
  }
  await cluster.end()
}

async function set(cluster: Cluster, node: number, settings: object): Promise<void> {
  const answer = await cluster.send(node, 'PUT', '/wp-json/host/v1/settings/notes', {
    asAdmin: true,
    body: { settings },
  })
  expect(answer.status, answer.body).to.equal(200)
}

/** Stores a note. @returns the settings of the extension */
async function note(cluster: Cluster, node: number): Promise<Record<string, unknown> | undefined> {
  const { status, body } = await cluster.send(node, 'POST', '/wp-json/notes/v1/note')
  return status === 200 ? JSON.parse(body) : undefined
}

/** Changes a post over nodes that are ready, and looks at it over both. */
function createWriter(cluster: Cluster, host: string) {
  const faults: string[] = []
  let count = 0
  let isOver = false
  const isReady = async (node: number) =>
    (await cluster.send(node, 'GET', '/wp-json/host/v1/ready').catch(() => undefined))?.status === 200

  async function run(): Promise<void> {
    const { id, link } = await cluster.write(0, '/wp/v2/posts', { title: 'Title 0', status: 'publish' })
    while (!isOver) {
      const node = count % 2
      if (!(await isReady(node))) {
        count++
        continue
      }
      const body = { title: `Title ${count}` }
      const written = await cluster
        .send(node, 'POST', `/wp-json/wp/v2/posts/${id}`, { asAdmin: true, body })
        .catch(() => undefined)
      // It was stopped between the two requests.
      if (!written) continue
      if (written.status !== 200) faults.push(`${written.status} ${written.body}`)
      for (const other of [0, 1]) {
        const seen = await cluster
          .send(other, 'GET', new URL(link).pathname, { headers: { host } })
          .catch(() => undefined)
        if (!seen || seen.body.includes(body.title)) continue
        const found = `${seen.status}, ${seen.headers['x-cache']}, ${/Title \d+/.exec(seen.body)?.[0]}`
        faults.push(`${body.title} was written over node ${node}, node ${other} served ${found}`)
      }
      count++
    }
  }
  const running = run().catch((error) => void faults.push(String(error)))
  return {
    /** Resolves after that many more changes. */
    async written(more: number): Promise<void> {
      const goal = count + more
      await until(() => faults.length > 0 || count > goal, { seconds: 30 })
    },
    async end(): Promise<string[]> {
      isOver = true
      await running
      return faults
    },
  }
}
