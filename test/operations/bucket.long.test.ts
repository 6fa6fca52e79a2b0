import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import sharp from 'sharp'
import { WXR_END, WXR_HEAD, wxrItem } from '../content/import/wxr-file.ts'
import { startBucket, type TestBucket } from '../support/bucket.ts'
import { type Cluster, startCluster, type Written } from '../support/cluster.ts'
import { pentad } from '../support/pentad.ts'
import { createEmptyPostgresDatabase, postgresBinaries } from '../support/postgres.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

const picture = (color: string, width = 900) =>
  sharp({ create: { width, height: 600, channels: 3, background: color } })
    .jpeg()
    .toBuffer()

describe('Uploads of two nodes in a bucket', () => {
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

  async function upload(node: number, name: string, bytes: Uint8Array): Promise<Written> {
    const { status, body } = await cluster.send(node, 'POST', '/wp-json/wp/v2/media', {
      asAdmin: true,
      body: bytes,
      headers: { 'content-disposition': `attachment; filename="${name}"`, 'content-type': 'image/jpeg' },
    })
    expect(status, body).to.equal(201)
    return JSON.parse(body)
  }

  const get = (node: number, url: string, headers: Record<string, string> = {}) =>
    cluster.send(node, 'GET', new URL(url).pathname, { headers })

  /** What `pentad doctor` says of the bucket. */
  async function doctor(): Promise<{ level: string; message: string } | undefined> {
    const { output } = await pentad(cluster.folders[0] ?? '', ['doctor', '--json'])
    expect(output).to.not.include('S3RVER')
    const findings: { check: string; level: string; message: string }[] = JSON.parse(output).findings
    return findings.find(({ check }) => check === 'storage')
  }

  it('are served by both, with all sizes, the same validators, and ranges', async () => {
    const media = await upload(0, 'red.jpg', await picture('red'))
    const urls = [media.source_url, ...Object.values(media.media_details.sizes).map((size) => size.source_url)]
    expect(urls).to.have.length.above(3)
    for (const url of urls) {
      const [own, other] = [await get(0, url), await get(1, url)]
      expect([own.status, other.status]).to.deep.equal([200, 200])
      expect(other.bytes.equals(own.bytes)).to.equal(true)
      expect(other.headers.etag).to.equal(own.headers.etag)
    }
    const part = await get(1, media.source_url, { range: 'bytes=2-9' })
    expect(part.status).to.equal(206)
    expect(part.bytes.equals((await get(0, media.source_url)).bytes.subarray(2, 10))).to.equal(true)
  })

  it('have different names, even if both nodes store files of the same name at the same time', async () => {
    const colors = ['blue', 'green', 'black', 'white', 'gray', 'brown']
    const all = await Promise.all(
      colors.map(async (color, index) => upload(index % 2, 'same.jpg', await picture(color, 200 + index))),
    )
    expect(new Set(all.map((media) => media.source_url)).size).to.equal(colors.length)
    for (const [index, { source_url: url }] of all.entries()) {
      for (const node of [0, 1]) {
        expect((await sharp((await get(node, url)).bytes).metadata()).width).to.equal(200 + index)
      }
    }
  })

  it('that one node deletes are no longer served by the other, which has a copy', async () => {
    const media = await upload(0, 'gone.jpg', await picture('red', 700))
    const medium = media.media_details.sizes.medium?.source_url ?? ''
    for (const url of [media.source_url, medium]) expect((await get(1, url)).status).to.equal(200)
    const { status } = await cluster.send(0, 'DELETE', `/wp-json/wp/v2/media/${media.id}?force=true`, { asAdmin: true })
    expect(status).to.equal(200)
    for (const url of [media.source_url, medium]) expect((await get(1, url)).status).to.equal(404)
    expect(bucket.keys().filter((key) => key.includes('gone'))).to.deep.equal([])
  })

  it('are served after the folder of a node was emptied', async () => {
    const media = await upload(1, 'kept.jpg', await picture('red'))
    rmSync(join(cluster.folders[1] ?? '', 'uploads'), { recursive: true })
    expect((await get(1, media.source_url)).status).to.equal(200)
  })

  it('are edited by a node that did not store them', async () => {
    const media = await upload(0, 'edited.jpg', await picture('red'))
    const edited = await cluster.write(1, `/wp/v2/media/${media.id}/edit`, {
      src: media.source_url,
      modifiers: [{ type: 'crop', args: { left: 0, top: 0, width: 50, height: 50 } }],
    })
    expect((await sharp((await get(0, edited.source_url)).bytes).metadata()).width).to.equal(450)
  })

  it('include the scripts and optimized files that a page of another node loads', async () => {
    const { body } = await cluster.send(0, 'GET', '/')
    const files = [...body.matchAll(/\/wp-content\/uploads\/[^"' )]+\.(?:js|css)/g)].map(([path]) => path)
    expect(files).to.not.be.empty
    rmSync(join(cluster.folders[1] ?? '', 'uploads'), { recursive: true, force: true })
    for (const path of new Set(files)) expect((await cluster.send(1, 'GET', path)).status, path).to.equal(200)
  })

  it('include the key pair for push notifications, which both nodes use', async () => {
    const generate = (node: number) =>
      cluster.send(node, 'POST', '/wp-json/pwa/v1/service-worker/generate', { asAdmin: true })
    expect((await generate(0)).status).to.equal(200)
    expect((await generate(1)).status).to.equal(200)
    const [first, second] = cluster.folders.map((folder) => readFileSync(join(folder, 'pwa/vapid.json'), 'utf8'))
    expect(second).to.equal(first)
    expect(bucket.keys()).to.include('pwa/vapid.json')
  })

  it('in chunks may be sent to any node, which may import them', async () => {
    const padding = `<!--${' '.repeat(9 * 1024 * 1024)}-->`
    const bytes = Buffer.from(
      `<?xml version="1.0"?>${WXR_HEAD}${wxrItem({ id: 41, title: 'In chunks' })}${padding}${WXR_END}`,
    )
    const call = async (node: number, method: string, path: string, body?: object | Uint8Array) => {
      const headers = { 'content-type': 'application/octet-stream' }
      const sent = { asAdmin: true, ...(body && { body }), ...(body instanceof Uint8Array && { headers }) }
      const answer = await cluster.send(node, method, `/wp-json/host/v1/import${path}`, sent)
      expect(answer.status, answer.body).to.be.within(200, 299)
      return JSON.parse(answer.body).data
    }
    const begin = () => call(0, 'POST', '/upload/init', { fileName: 'export.xml', size: bytes.length })
    const { uploadId, chunkSize } = await begin()
    const send = (node: number, id: string, index: number) => {
      const chunk = bytes.subarray(index * chunkSize, (index + 1) * chunkSize)
      return call(node, 'POST', `/upload/chunk?uploadId=${id}&index=${index}`, chunk)
    }
    expect(await send(1, uploadId, 1)).to.include({ received: 1, total: 2, complete: false })
    const isHere = (node: number, name: string) => existsSync(join(cluster.folders[node] ?? '', 'tmp', name))
    expect(isHere(1, `import-upload-${uploadId}/chunks/1`)).to.equal(false)
    const { items } = await call(0, 'GET', '/upload/fetch')
    expect(items).to.have.length(1)
    expect(items[0]).to.deep.include({ uploadId, received: 1, missing: [[0, 0]] })
    expect(await send(0, uploadId, 0)).to.include({ complete: true })
    await call(1, 'POST', '', { files: [uploadId] })
    for (const node of [0, 1]) await until(async () => (await call(node, 'GET', '')).state === 'complete')
    const { body } = await cluster.send(0, 'GET', '/wp-json/wp/v2/posts?search=chunks')
    expect(JSON.parse(body)).to.have.length(1)

    const { uploadId: canceled } = await begin()
    await send(0, canceled, 0)
    await call(1, 'DELETE', `/upload/remove?uploadId=${canceled}`)
    expect((await call(0, 'GET', '/upload/fetch')).items).to.deep.equal([])
    expect(bucket.keys().filter((key) => key.startsWith('tmp/import-upload'))).to.deep.equal([])
    expect(isHere(0, `import-upload-${canceled}/chunks/0`)).to.equal(false)
  })

  it('leave no copies of expired chunks on any node', async () => {
    const names = ['import-upload-old', 'archive-upload-old']
    const copies = cluster.folders.flatMap((folder) => names.map((name) => join(folder, 'tmp', name)))
    for (const copy of copies) {
      mkdirSync(join(copy, 'chunks'), { recursive: true })
      writeFileSync(join(copy, 'chunks/0'), 'chunk')
    }
    for (const node of [0, 1]) {
      await cluster.nodes[node]?.end()
      await cluster.start(node)
    }
    await until(() => copies.every((copy) => !existsSync(copy)))
  })

  it('are an error that loses nothing while the bucket fails', async () => {
    const media = await upload(0, 'before.jpg', await picture('red'))
    bucket.fail(true)
    try {
      expect((await get(1, media.source_url)).status).to.equal(503)
      const { status, body } = await cluster.send(0, 'POST', '/wp-json/wp/v2/media', {
        asAdmin: true,
        body: await picture('red'),
        headers: { 'content-disposition': 'attachment; filename="lost.jpg"', 'content-type': 'image/jpeg' },
      })
      expect(status).to.equal(503)
      expect(JSON.parse(body).code).to.equal('storage_unavailable')
      expect((await cluster.send(0, 'GET', '/')).status).to.equal(200)
      expect(await doctor()).to.include({ level: 'error' })
    } finally {
      bucket.fail(false)
    }
    expect(await doctor()).to.deep.include({
      level: 'ok',
      message: `Uploads are in the bucket at ${new URL(bucket.storageUrl).host}.`,
    })
    expect((await get(1, media.source_url)).status).to.equal(200)
    const { body } = await cluster.send(0, 'GET', '/wp-json/wp/v2/media?search=lost')
    expect(JSON.parse(body)).to.deep.equal([])
    expect(cluster.nodes.map((node) => node.output()).join('')).to.not.include('S3RVER')
  })

  it('are in a backup of any node, and in the bucket after it was restored', async () => {
    const folder = cluster.folders[1] ?? ''
    const media = await upload(0, 'saved.jpg', await picture('red'))
    const saved = (await get(0, media.source_url)).bytes
    rmSync(join(folder, 'uploads'), { recursive: true, force: true })
    const created = await pentad(folder, ['backup', 'create'])
    expect(created.code, created.errors).to.equal(0)
    const [, id = ''] = /Backup (\S+) created/.exec(created.output) ?? []
    const download = `/wp-json/backup/v1/backup/download?backupId=${id}`
    const archive = join(temporaryFolder(), 'archive.tar.gz')
    writeFileSync(archive, (await cluster.send(0, 'GET', download, { asAdmin: true })).bytes)

    await cluster.send(1, 'DELETE', `/wp-json/wp/v2/media/${media.id}?force=true`, { asAdmin: true })
    const later = await upload(0, 'later.jpg', await picture('blue'))
    await cluster.nodes[0]?.end()
    await cluster.nodes[1]?.end()
    const restored = await pentad(folder, ['backup', 'restore', archive])
    expect(restored.code, restored.errors).to.equal(0)
    await cluster.start(1)
    await cluster.start(0)
    for (const node of [0, 1]) {
      expect((await get(node, media.source_url)).bytes.equals(saved)).to.equal(true)
      expect((await get(node, later.source_url)).status).to.equal(404)
      const posts = await cluster.send(node, 'GET', '/wp-json/wp/v2/media?search=saved')
      expect(JSON.parse(posts.body)[0]).to.include({ id: media.id })
    }
    expect(existsSync(join(folder, 'uploads.import'))).to.equal(false)
  })

  it('require a complete address, and PostgreSQL, and errors do not show the secret', async () => {
    const start = async (config: Record<string, string>) => {
      const folder = temporaryFolder()
      writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
      const { code, errors, output } = await pentad(folder, ['start', '--port', '0'])
      expect(code).to.equal(1)
      expect(errors + output).to.not.include('hidden')
      expect(existsSync(join(folder, 'uploads'))).to.equal(false)
      return errors
    }
    expect(await start({ storageUrl: 's3://key:hidden@s3.example/site' })).to.include('requires PENTAD_DATABASE_URL')
    const databaseUrl = await createEmptyPostgresDatabase()
    expect(await start({ databaseUrl, storageUrl: 's3://key:hidden@s3.example/' })).to.include('must be s3://')
    expect(await start({ databaseUrl, storageUrl: 'https://key:hidden@s3.example/site' })).to.include('storageUrl')
  })
})
