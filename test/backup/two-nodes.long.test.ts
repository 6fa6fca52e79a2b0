import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { isCode } from '../../core/errors.ts'
import { startBucket, type TestBucket } from '../support/bucket.ts'
import { type Cluster, startCluster } from '../support/cluster.ts'
import { pentad } from '../support/pentad.ts'
import { postgresBinaries } from '../support/postgres.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

/** Adds a word to each page. */
const WORDS = `import { defineExtension } from 'pentad'
export default defineExtension({
  id: 'words', name: 'Words', version: '1.0.0', description: 'Adds a word to each page.',
  setup: ({ hooks }) => void hooks.addFilter('the_content', (html) => html + '<p>WORD</p>'),
})
`

interface Backup {
  readonly id: string
  readonly fileName: string
  readonly location: string
}

describe('Backups of two nodes with separate folders and a bucket', () => {
  let bucket: TestBucket
  let cluster: Cluster

  before(async function () {
    if (!postgresBinaries && process.env.CI !== 'true') this.skip()
    bucket = await startBucket()
    cluster = await startCluster(() => ({ storageUrl: bucket.storageUrl }))
  })
  after(async () => {
    await cluster?.end()
    await bucket?.stop()
  })

  async function call<Data>(node: number, method: string, path: string, body?: object): Promise<Data> {
    const answer = await cluster.send(node, method, `/wp-json/backup/v1${path}`, {
      asAdmin: true,
      ...(body && { body }),
    })
    expect(answer.status, answer.body).to.be.within(200, 299)
    return JSON.parse(answer.body).data
  }

  const list = async (node: number) => (await call<{ items: Backup[] }>(node, 'GET', '/backup/fetch')).items
  const start = async (node: number, body: object = {}) =>
    (await call<{ jobId: string }>(node, 'POST', '/backup/create', body)).jobId
  const stateOf = async (node: number, jobId: string) =>
    (await call<{ state: string }>(node, 'GET', `/backup/progress?jobId=${jobId}`)).state
  const logOf = async (node: number, jobId: string) =>
    JSON.stringify(await call(node, 'GET', `/backup/logs?jobId=${jobId}`))

  const archives = (node: number) =>
    existsSync(join(cluster.folders[node] ?? '', 'backups'))
      ? readdirSync(join(cluster.folders[node] ?? '', 'backups')).filter((name) => name.includes('.tar'))
      : []

  it('are created by one node, whichever is asked for the progress, and are the same on both', async () => {
    const id = await start(0)
    await until(async () => (await stateOf(1, id)) !== 'running', { seconds: 60 })
    expect(await stateOf(1, id)).to.equal('complete')
    expect(await list(1)).to.deep.equal(await list(0))
    const [backup] = await list(1)
    expect(backup).to.include({ id, location: 'local' })
    expect(bucket.keys()).to.include.members([`backups/${backup?.fileName}`, `backups/records/${id}.json`])
    expect([...archives(0), ...archives(1)]).to.deep.equal([])
    expect(await logOf(1, id)).to.include('Backup complete.')
    expect(await call(1, 'POST', '/backup/verify', { backupId: id })).to.include.keys('sha256')
    const { status, bytes } = await cluster.send(1, 'GET', `/wp-json/backup/v1/backup/download?backupId=${id}`, {
      asAdmin: true,
    })
    expect(status).to.equal(200)
    const file = join(temporaryFolder(), backup?.fileName ?? '')
    writeFileSync(file, bytes)
    const verified = await pentad(cluster.folders[0] ?? '', ['backup', 'verify', file])
    expect(verified.output).to.include('is intact')
  })

  it('that one node deletes no longer exist on the other', async () => {
    const [backup] = await list(0)
    await call(1, 'DELETE', `/backup/remove?backupId=${backup?.id}`)
    expect(await list(0)).to.deep.equal([])
    expect(bucket.keys().filter((key) => key.includes(backup?.id ?? '') && !key.includes('/jobs/'))).to.deep.equal([])
    expect(bucket.keys()).to.not.include(`backups/${backup?.fileName}`)
  })

  it('are stored in the bucket if their location fails', async () => {
    const id = await start(0, { location: 'webdav', exclusions: ['database', 'others', 'themes', 'extensions'] })
    await until(async () => (await stateOf(0, id)) !== 'running', { seconds: 60 })
    expect(await stateOf(0, id)).to.equal('complete')
    expect(await logOf(1, id)).to.include('The archive was stored in the bucket of the site instead.')
    await call(1, 'DELETE', `/backup/remove?backupId=${id}`)
  })

  it('can be canceled over the other node', async () => {
    const id = await start(0)
    await call(1, 'POST', '/backup/cancel', { jobId: id })
    await until(async () => (await stateOf(0, id)) === 'cancelled')
    expect(await list(0)).to.deep.equal([])
  })

  it('are restored by one node while the other one runs, which then serves the restored site', async () => {
    const folders = cluster.folders.map((folder) => join(folder, 'extensions/words'))
    const setWord = async (word: string) => {
      mkdirSync(folders[0] ?? '', { recursive: true })
      writeFileSync(join(folders[0] ?? '', 'index.ts'), WORDS.replace('WORD', word))
      const { code, errors } = await pentad(cluster.folders[0] ?? '', ['extension', 'activate', 'words'])
      expect(code, errors).to.equal(0)
      await cluster.send(0, 'POST', '/wp-json/host/v1/extensions/words/reload', { asAdmin: true })
    }
    const page = async (node: number, path: string) => (await cluster.send(node, 'GET', path)).body
    const post = await cluster.write(0, '/wp/v2/posts', { title: 'Saved title', slug: 'kept', status: 'publish' })
    const path = new URL(post.link).pathname
    await setWord('saved-word')
    await until(async () => (await page(1, path)).includes('saved-word'))
    const id = await start(1)
    await until(async () => (await stateOf(1, id)) !== 'running', { seconds: 60 })
    expect(await stateOf(1, id)).to.equal('complete')
    const download = await cluster.send(0, 'GET', `/wp-json/backup/v1/backup/download?backupId=${id}`, {
      asAdmin: true,
    })
    const file = join(temporaryFolder(), 'archive.tar.gz')
    writeFileSync(file, download.bytes)

    await cluster.write(1, `/wp/v2/posts/${post.id}`, { title: 'Later title' })
    const later = await cluster.write(1, '/wp/v2/posts', { title: 'Later post', slug: 'later', status: 'publish' })
    await cluster.write(1, '/wp/v2/settings', { title: 'Later name' })
    await setWord('later-word')
    await until(async () => (await page(1, path)).includes('later-word'))
    expect(await page(1, path)).to.include('Later title')

    const restored = await pentad(cluster.folders[0] ?? '', ['backup', 'restore', file])
    expect(restored.code, restored.errors).to.equal(0)
    // While a node restarts, no server listens on its port for an instant, twice. HTTP clients and load balancers try again then.
    const pageOfRestarting = (node: number) =>
      page(node, path).catch((error: unknown) => {
        if (isCode(error, 'ECONNREFUSED')) return ''
        throw error
      })
    for (const node of [0, 1]) {
      await until(async () => (await pageOfRestarting(node)).includes('Saved title'), { seconds: 30 })
      await until(async () => (await pageOfRestarting(node)).includes('saved-word'), { seconds: 30 })
      expect(await page(node, path)).to.not.match(/later/i)
      expect((await cluster.send(node, 'GET', new URL(later.link).pathname)).status).to.equal(404)
    }
    await cluster.write(1, `/wp/v2/posts/${post.id}`, { title: 'Of the restored site' })
    expect(await page(0, path)).to.include('Of the restored site')
    await cluster.write(0, '/wp/v2/settings', { title: 'New name' })
    expect(await page(1, path)).to.include('New name')
    expect(await list(1)).to.deep.equal(await list(0))
  })

  it('are started again by the other node if theirs is killed', async () => {
    const id = await start(0)
    await cluster.nodes[0]?.end('SIGKILL')
    await until(async () => (await stateOf(1, id)) !== 'running', { seconds: 120 })
    expect(await stateOf(1, id)).to.equal('complete')
    expect((await list(1)).map((backup) => backup.id)).to.include(id)
    expect(await logOf(1, id)).to.include('started again on another node')
    await cluster.start(0)
    expect(await list(0)).to.deep.equal(await list(1))
  })
})
