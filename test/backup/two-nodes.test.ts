import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { startBucket, type TestBucket } from '../support/bucket.ts'
import { type Cluster, startCluster } from '../support/cluster.ts'
import { pentad } from '../support/pentad.ts'
import { postgresBinaries } from '../support/postgres.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

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
  const start = async (node: number) => (await call<{ jobId: string }>(node, 'POST', '/backup/create', {})).jobId
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

  it('can be canceled over the other node', async () => {
    const id = await start(0)
    await call(1, 'POST', '/backup/cancel', { jobId: id })
    await until(async () => (await stateOf(0, id)) === 'cancelled')
    expect(await list(0)).to.deep.equal([])
  })

  it('are started again by the other node if theirs is killed', async () => {
    const id = await start(0)
    await cluster.nodes[0]?.end('SIGKILL')
    await until(async () => (await stateOf(1, id)) !== 'running', { seconds: 120 })
    expect(await stateOf(1, id)).to.equal('complete')
    expect(await list(1)).to.have.length(1)
    expect(await logOf(1, id)).to.include('started again on another node')
    await cluster.start(0)
    expect(await list(0)).to.deep.equal(await list(1))
  })
})
