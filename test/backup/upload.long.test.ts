import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { BackupRecord } from '../../plugins/backup/types.ts'
import { type BackupSite, createBackupSite } from './backup-site.ts'

const CHUNK = 8 * 1024 * 1024

interface ChunkAnswer {
  readonly status: number
  readonly code?: string
  readonly data: { received?: number; total?: number | null; complete?: boolean; backup?: BackupRecord }
}

describe('An upload', () => {
  let site: BackupSite
  let archive: Buffer
  let chunks: Buffer[]

  before(async () => {
    site = await createBackupSite()
    // Three chunks of what cannot be made smaller.
    await site.write({ 'uploads/noise': randomBytes(2 * CHUNK + 1000) })
    await site.ended(await site.create({ title: 'Origin', exclusions: ['database', 'others'] }))
    const [record] = await site.records()
    archive = await readFile(join(site.dir, 'backups', record?.fileName ?? ''))
    chunks = [0, 1, 2].map((index) => archive.subarray(index * CHUNK, (index + 1) * CHUNK))
  })
  after(() => site.close())

  const init = async (body: unknown = {}) => {
    const { status, data } = await site.call('POST', '/backup/upload/init', body)
    expect(status).equal(201)
    expect(data.chunkSize).equal(CHUNK)
    return String(data.uploadId)
  }

  /** As `multipart/form-data`, or as the body itself. */
  async function send(
    uploadId: string,
    index: number,
    bytes: Buffer,
    { last = false, form = false, sha256 = '' } = {},
  ): Promise<ChunkAnswer> {
    const path = '/wp-json/backup/v1/backup/upload/chunk'
    const query = `uploadId=${uploadId}&index=${index}${last ? '&last=true' : ''}${sha256 && `&sha256=${sha256}`}`
    const authorization = (await authorized()).Authorization
    const fields = new FormData()
    if (form) {
      fields.set('uploadId', uploadId)
      fields.set('index', String(index))
      if (last) fields.set('last', 'true')
      fields.set('chunk', new Blob([Uint8Array.from(bytes)]), 'blob')
    }
    const answer = await fetch(new URL(form ? path : `${path}?${query}`, site.url), {
      method: 'POST',
      headers: { Authorization: authorization, ...(!form && { 'Content-Type': 'application/octet-stream' }) },
      body: form ? fields : Uint8Array.from(bytes),
    })
    const json = JSON.parse(await answer.text())
    return { status: answer.status, code: json.code, data: json.data }
  }

  let credentials: { Authorization: string } | undefined
  async function authorized() {
    if (credentials) return credentials
    const user = await site.host.auth.users.create({ login: 'up', email: 'up@example.org', roles: ['administrator'] })
    const { password } = await site.host.auth.applicationPasswords.create(user.id, 'test')
    credentials = { Authorization: `Basic ${btoa(`up:${password}`)}` }
    return credentials
  }

  const uploaded = async () => (await site.records()).filter(({ kind }) => kind === 'uploaded')

  it('becomes a backup, in any order, with chunks sent again and two at once', async () => {
    const sha256 = createHash('sha256').update(archive).digest('hex')
    const uploadId = await init({ fileName: '../../evil name.tar.gz', size: archive.length, sha256 })
    expect((await send(uploadId, 2, chunks[2] ?? archive)).data).deep.include({
      received: 1,
      total: 3,
      complete: false,
    })
    expect((await send(uploadId, 2, chunks[2] ?? archive, { form: true })).data.received).equal(1)
    const answers = await Promise.all(
      [0, 1].map((index) => send(uploadId, index, chunks[index] ?? archive, { form: index === 1 })),
    )
    const complete = answers.filter(({ data }) => data.complete)
    expect(complete.length).greaterThan(0)
    expect(complete[0]?.data.backup).deep.include({ kind: 'uploaded', title: 'Origin', sha256, size: archive.length })
    expect(complete[0]?.data.backup?.fileName).match(/^evil-name-[0-9a-f]{32}\.tar\.gz$/)
    expect(await uploaded()).length(1)
    expect(await send(uploadId, 0, chunks[0] ?? archive)).deep.include({ status: 409, code: 'upload_complete' })
    expect((await site.call('POST', '/backup/verify', { backupId: uploadId })).status).equal(200)
  })

  it('takes the same chunk from several at once, and is over after its 24 hours', async () => {
    const uploadId = await init({ size: archive.length })
    const same = await Promise.all([1, 2, 3].map(() => send(uploadId, 1, chunks[1] ?? archive)))
    expect(same.map(({ status, data }) => [status, data.received])).deep.equal([200, 200, 200].map((ok) => [ok, 1]))
    await send(uploadId, 2, chunks[2] ?? archive)
    const last = await Promise.all([1, 2].map(() => send(uploadId, 0, chunks[0] ?? archive)))
    expect(last.filter(({ data }) => data.complete).length).greaterThan(0)
    for (const { status } of last) expect(status).oneOf([200, 409])
    expect((await uploaded()).filter(({ id }) => id === uploadId)).length(1)
    await site.call('DELETE', '/backup/remove', { backupId: uploadId })

    const late = await init({ size: archive.length })
    const file = join(site.dir, 'tmp', `archive-upload-${late}`, 'session.json')
    const session = JSON.parse(await readFile(file, 'utf8'))
    await writeFile(file, JSON.stringify({ ...session, expires: new Date(Date.now() - 1).toISOString() }))
    expect(await send(late, 0, chunks[0] ?? archive)).deep.include({ status: 404, code: 'upload_not_found' })
  })

  it('can go on in another window, which asks what is missing', async () => {
    interface Waiting {
      items: { uploadId: string; missing: [number, number][] }[]
    }
    const uploadId = await init({ fileName: 'site.tar.gz', size: CHUNK * 5 + 1 })
    const waiting = async () => {
      const { items } = (await site.call<Waiting>('GET', '/backup/upload/fetch')).data
      return items.find((item) => item.uploadId === uploadId)
    }
    const common = { fileName: 'site.tar.gz', size: CHUNK * 5 + 1, chunkSize: CHUNK, total: 6 }
    expect(await waiting()).deep.include({ ...common, received: 0, missing: [[0, 5]] })
    const chunk = chunks[0] ?? archive
    for (const index of [0, 3]) await send(uploadId, index, chunk)
    const missing = [
      [1, 2],
      [4, 5],
    ]
    expect(await waiting()).deep.include({ ...common, received: 2, missing })

    expect((await site.call('DELETE', '/backup/upload/remove', { uploadId })).status).equal(200)
    expect(await waiting()).equal(undefined)
    expect((await send(uploadId, 1, chunk)).code).equal('upload_not_found')
    expect((await site.call('DELETE', '/backup/upload/remove', { uploadId })).code).equal('upload_not_found')
  })

  it('is deleted when it is removed, even while chunks arrive', async () => {
    const piece = chunks[0]?.subarray(0, 100_000) ?? archive
    await authorized()
    for (let round = 0; round < 5; round++) {
      const uploadId = await init()
      const sent = [0, 1, 2].map((index) => send(uploadId, index, piece))
      const removed = site.call('DELETE', '/backup/upload/remove', { uploadId })
      await new Promise((resolve) => setTimeout(resolve, round))
      sent.push(send(uploadId, 3, piece), send(uploadId, 4, piece))
      expect((await removed).status).equal(200)
      for (const { status } of await Promise.all(sent)) expect(status).oneOf([200, 404])
      expect(await readdir(join(site.dir, 'tmp'))).not.include(`archive-upload-${uploadId}`)
    }
  })

  it('refuses a chunk that was damaged on its way, and takes it when it is sent again', async () => {
    const uploadId = await init({ size: CHUNK + 1 })
    const [chunk = archive] = chunks
    const sha256 = createHash('sha256').update(chunk).digest('hex')
    const damaged = chunk.with(7, (chunk[7] ?? 0) ^ 1)
    expect(await send(uploadId, 0, Buffer.from(damaged), { sha256 })).include({
      status: 400,
      code: 'rest_invalid_param',
    })
    expect((await send(uploadId, 0, chunk, { sha256: sha256.toUpperCase() })).data.received).equal(1)
    await site.call('DELETE', '/backup/upload/remove', { uploadId })
  })

  it('needs no size: the chunk marked as last says how many there are', async () => {
    const uploadId = await init()
    // One of another file does not spoil it.
    await send(uploadId, 5, Buffer.from('stray'))
    expect((await send(uploadId, 2, chunks[2] ?? archive, { last: true })).data).include({ received: 1, total: 3 })
    expect((await send(uploadId, 5, Buffer.from('stray'))).code).equal('rest_invalid_param')
    expect((await send(uploadId, 1, chunks[1] ?? archive)).data.complete).equal(false)
    expect((await send(uploadId, 0, chunks[0] ?? archive)).data.complete).equal(true)
    await site.call('DELETE', '/backup/remove', { backupId: uploadId })
  })

  it('is not listed if size, checksum or content is wrong', async () => {
    const before = (await uploaded()).length
    const wrongSum = await init({ size: 10, sha256: 'a'.repeat(64) })
    expect(await send(wrongSum, 0, Buffer.alloc(10))).deep.include({ status: 400, code: 'upload_corrupt' })
    const noArchive = await init()
    expect(await send(noArchive, 0, Buffer.from('hello'), { last: true })).deep.include({
      status: 400,
      code: 'upload_corrupt',
    })
    const damaged = await init({ size: archive.length })
    const altered = Buffer.from(chunks[0] ?? archive)
    altered.writeUInt8((altered[5000] ?? 0) ^ 255, 5000)
    await send(damaged, 0, altered)
    await send(damaged, 1, chunks[1] ?? archive)
    expect(await send(damaged, 2, chunks[2] ?? archive)).deep.include({ status: 400, code: 'upload_corrupt' })
    expect((await uploaded()).length).equal(before)
    expect((await readdir(join(site.dir, 'tmp'))).filter((name) => name.includes(damaged))).deep.equal([])
    expect(await send(damaged, 0, altered)).deep.include({ status: 404, code: 'upload_not_found' })
  })

  it('refuses chunks that cannot be part of it', async () => {
    const uploadId = await init({ size: CHUNK + 10 })
    const refused: [index: number, bytes: Buffer, last: boolean, code: string][] = [
      [0, Buffer.alloc(10), false, 'rest_invalid_param'],
      [1, Buffer.alloc(11), false, 'rest_invalid_param'],
      [2, Buffer.alloc(10), false, 'rest_invalid_param'],
      [0, Buffer.alloc(CHUNK), true, 'rest_invalid_param'],
      [1, Buffer.alloc(0), false, 'rest_invalid_param'],
      [-1, Buffer.alloc(10), false, 'rest_invalid_param'],
      [0, Buffer.alloc(CHUNK + 1), false, 'rest_request_too_large'],
    ]
    for (const [index, bytes, last, code] of refused) {
      expect((await send(uploadId, index, bytes, { last })).code, `${index} ${bytes.length}`).equal(code)
    }
    expect((await site.call('POST', '/backup/upload/init', { size: 0 })).code).equal('rest_invalid_param')
    expect((await site.call('POST', '/backup/upload/init', { sha256: 'short' })).code).equal('rest_invalid_param')
  })
})
