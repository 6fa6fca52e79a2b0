import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { createGzip, gunzipSync, gzipSync } from 'node:zlib'
import { ZipArchive } from 'archiver'
import { expect } from 'chai'
import { pack } from 'tar-stream'
import type { ImportState } from '../../../cms/content/import/import-job.ts'
import { importState } from '../../../cms/content/import/response-schemas.ts'
import { pentad, startPentad } from '../../support/pentad.ts'
import { startedSite } from '../../support/started-site.ts'
import { until } from '../../support/until.ts'
import { type OwnSite, openOwnSite } from '../../wp-v2/own-site.ts'
import { WXR_END, WXR_HEAD, wxrItem } from './wxr-file.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures')
const EXPORT = readFileSync(join(FIXTURES, 'wordpress-export.xml'))
const UPLOADS = readFileSync(join(FIXTURES, 'wordpress-uploads.tar.gz'))
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const wxr = (...items: string[]) =>
  Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${WXR_HEAD}${items.join('')}${WXR_END}`)

interface Answer<Data> {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly data: Data
}

/** What a browser does with the routes of a site. */
function importer(url: string, authorization: string) {
  async function call<Data>(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    type = 'application/json',
  ) {
    const response = await fetch(`${url}/wp-json/host/v1${path}`, {
      method,
      headers: { authorization, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body }),
    })
    const answer: Answer<Data> = { ...JSON.parse(await response.text()), status: response.status }
    return answer
  }
  async function upload(fileName: string, bytes: Buffer): Promise<Answer<{ uploadId: string; complete: boolean }>> {
    const { data } = await call<{ uploadId: string }>(
      'POST',
      '/import/upload/init',
      JSON.stringify({ fileName, size: bytes.length }),
    )
    const path = `/import/upload/chunk?uploadId=${data.uploadId}&index=0`
    return call('POST', path, Uint8Array.from(bytes), 'application/octet-stream')
  }
  const uploaded = async (name: string, bytes: Buffer) => (await upload(name, bytes)).data.uploadId
  const start = (order: object) => call<ImportState>('POST', '/import', JSON.stringify(order))
  const current = async () => (await call<ImportState | null>('GET', '/import')).data
  async function ended(): Promise<ImportState> {
    let last: ImportState | null = null
    await until(
      async () => {
        last = await current()
        return last !== null && last.state !== 'running'
      },
      { seconds: 60 },
    )
    if (last === null) throw new Error('There is no import.')
    return last
  }
  async function run(order: object): Promise<ImportState> {
    const { status, message } = await start(order)
    expect(status, message).to.equal(202)
    return ended()
  }
  return { call, upload, uploaded, start, current, ended, run }
}

async function zip(entries: Readonly<Record<string, Buffer>>): Promise<Buffer> {
  const archive = new ZipArchive({ zlib: { level: 9 } })
  for (const [name, bytes] of Object.entries(entries)) archive.append(bytes, { name })
  const bytes = buffer(archive)
  await archive.finalize()
  return bytes
}

describe('/host/v1/import', () => {
  let site: OwnSite
  let admin: ReturnType<typeof importer>
  const inUploads = (path: string) => join(site.host.config.siteDir, 'uploads', path)

  before(async () => {
    site = await openOwnSite()
    admin = importer(site.url, await site.signIn('admin', 'administrator'))
  })
  after(() => site.close())

  it('is for administrators', async () => {
    const editor = await site.signIn('ed', 'editor')
    for (const route of [
      'GET /host/v1/import',
      'POST /host/v1/import',
      'POST /host/v1/import/cancel',
      'POST /host/v1/import/upload/init',
    ]) {
      const body = route.startsWith('POST') ? {} : undefined
      expect(await site.outcome(route, body)).to.equal('401 rest_forbidden')
      expect(await site.outcome(route, body, editor)).to.equal('403 rest_forbidden')
    }
    expect(await admin.current()).to.equal(null)
  })

  it('reports what an import would do, then imports the same uploads with their media', async () => {
    const order = {
      files: [await admin.uploaded('export.xml.gz', gzipSync(EXPORT))],
      uploads: await admin.uploaded('uploads.tar.gz', UPLOADS),
    }
    const dry = await admin.run({ ...order, dryRun: true })
    expect(dry).to.deep.include({ state: 'complete', percent: 100, error: null })
    expect(dry.order).to.deep.equal({
      files: [{ uploadId: order.files[0], name: 'export.xml.gz' }],
      uploads: { uploadId: order.uploads, name: 'uploads.tar.gz' },
      ...{ dryRun: true, download: false },
    })
    expect(dry.report?.posts.post).to.deep.equal({ added: 51, existing: 0 })
    expect(importState.strict().safeParse(dry).error, 'as OpenAPI says').to.equal(undefined)
    expect(dry.report?.missingFiles).to.deep.equal([])
    expect((await site.host.content.posts.query({ types: ['post'] })).total).to.equal(1)

    const { report, state } = await admin.run(order)
    expect(state).to.equal('complete')
    expect(report?.posts.post).to.deep.equal({ added: 51, existing: 0 })
    expect(report?.missingFiles).to.deep.equal([])
    expect(report?.files.copied).to.be.greaterThan(4)
    expect(existsSync(inUploads('2026/01/map.png'))).to.equal(true)
    // They are removed after the report can be read.
    await until(
      () => !readdirSync(join(site.host.config.siteDir, 'tmp')).some((name) => /^import-(?:media|upload)/.test(name)),
    )
    expect((await admin.start(order)).code, 'the files are gone once they are imported').to.equal('upload_not_found')
  })

  it('runs one import at a time, which can be cancelled', async () => {
    const many = Array.from({ length: 300 }, (_, at) => wxrItem({ id: 5000 + at }))
    const order = { files: [await admin.uploaded('many.xml', wxr(...many))] }
    const undo = site.host.hooks.addAction('save_post', () => wait(20))
    expect((await admin.start(order)).status).to.equal(202)
    expect(await admin.start(order)).to.deep.include({ status: 409, code: 'import_running' })
    expect((await admin.call('POST', '/import/cancel')).status).to.equal(200)
    expect((await admin.ended()).state).to.equal('cancelled')
    undo()
    const { state, report } = await admin.run(order)
    expect(state).to.equal('complete')
    const { added = 0, existing = 0 } = report?.posts.post ?? {}
    expect(added + existing).to.equal(300)
  })

  it('writes its report once the disk takes it, and does not start again for that', async () => {
    const record = join(site.host.config.siteDir, 'tmp/last-import.json')
    let stored = Buffer.alloc(0)
    let begun = 0
    const undo = [
      site.host.hooks.addAction('import_start', () => void begun++),
      site.host.hooks.addAction('import_end', () => {
        stored = readFileSync(record)
        rmSync(record)
        mkdirSync(record)
      }),
    ]
    const id = await admin.uploaded('one.xml', wxr(wxrItem({ id: 903 })))
    await admin.start({ files: [id] })
    await until(() => stored.length > 0)
    await wait(1000)
    rmSync(record, { recursive: true })
    writeFileSync(record, stored)
    const { state, report } = await admin.ended()
    for (const end of undo) end()
    expect(state).to.equal('complete')
    expect([begun, report?.posts.post]).to.deep.equal([1, { added: 1, existing: 0 }])
  })

  it('lets a complete upload be removed unless it is being imported', async () => {
    const remove = (uploadId: string) => admin.call('DELETE', '/import/upload/remove', JSON.stringify({ uploadId }))
    const id = await admin.uploaded('one.xml', wxr(wxrItem({ id: 904 })))
    const undo = site.host.hooks.addAction('save_post', () => wait(500))
    await admin.start({ files: [id] })
    expect(await remove(id)).to.deep.include({ status: 409, code: 'upload_in_use' })
    undo()
    await admin.ended()
    const unused = await admin.uploaded('one.xml', wxr(wxrItem({ id: 905 })))
    expect((await remove(unused)).status).to.equal(200)
    expect((await remove(unused)).code).to.equal('upload_not_found')
  })

  it('takes what the command line takes: blanks, control characters and a byte order mark before the XML', async () => {
    const whole = (start: string, id: number) => `${start}${wxr(wxrItem({ id })).toString()}`
    const starts = [' \n\n\ufeff', '\u3000\u00a0\ufeff\n', '\u2028'.repeat(60_000), '\u0001'.repeat(60_000)]
    for (const [index, start] of starts.entries()) {
      const id = 910 + index
      await admin.run({ files: [await admin.uploaded('blank.xml', Buffer.from(whole(start, id)))] })
      expect((await site.host.content.posts.get(id))?.title, start.slice(0, 9)).to.equal(`Item ${id}`)
    }
    const utf16 = Buffer.from(whole('\ufeff\n\n', 919).replace('UTF-8', 'UTF-16'), 'utf16le')
    await admin.run({ files: [await admin.uploaded('utf16.xml', utf16)] })
    expect((await site.host.content.posts.get(919))?.title).to.equal('Item 919')
    expect(await admin.upload('blank.txt', Buffer.from(' \ufeff x'))).to.include({
      status: 400,
      code: 'upload_corrupt',
    })
  })

  it('says what is wrong with a file, under the name that it had', async () => {
    expect(await admin.upload('photo.png', PNG)).to.deep.include({ status: 400, code: 'upload_corrupt' })
    const cut = { files: [await admin.uploaded('cut.xml', EXPORT.subarray(0, 3000))] }
    const failed = await admin.run(cut)
    expect(failed.state).to.equal('failed')
    expect(failed.percent).to.be.lessThan(100)
    expect(failed.error).to.match(/^cut\.xml, line \d+: the file ends in the middle of/)
    const page = await admin.run({ files: [await admin.uploaded('page.html', Buffer.from('<html></html>'))] })
    expect(page.error).to.match(/^page\.html.* is not a WordPress export/)
    const entities = '<!DOCTYPE rss [<!ENTITY secret SYSTEM "file:///etc/passwd">]>'
    const xxe = wxr(wxrItem({ id: 900, title: 'Entity', more: '<description>&secret;</description>' })).toString()
    const external = xxe.replace('?><rss', `?>${entities}<rss`).replace('<![CDATA[Entity]]>', 'A &secret; B')
    await admin.run({ files: [await admin.uploaded('xxe.xml', Buffer.from(external))] })
    expect((await site.host.content.posts.get(900))?.title).to.equal('A &secret; B')
    expect(await admin.start({ files: ['nothing'] })).to.deep.include({ status: 404, code: 'upload_not_found' })
    expect(await admin.start({ files: ['../../etc'] })).to.deep.include({ status: 400, code: 'rest_invalid_param' })
  })

  it('takes nothing from an archive but media files with a path below uploads', async () => {
    const files = [await admin.uploaded('one.xml', wxr(wxrItem({ id: 901, content: 'x' })))]
    const tar = pack()
    tar.entry({ name: '../../../outside.png' }, PNG)
    tar.entry({ name: '/tmp/absolute.png' }, PNG)
    tar.entry({ name: '2031/01/link.png', type: 'symlink', linkname: '/etc/passwd' })
    tar.entry({ name: './uploads/2031/01/good.png' }, PNG)
    tar.entry({ name: './uploads/2031/01/good.png' }, Buffer.from('another'))
    tar.entry({ name: 'uploads/2031/01/shell.php' }, '<?php')
    tar.finalize()
    const { report } = await admin.run({ files, uploads: await admin.uploaded('evil.tar', await buffer(tar)) })
    expect(report?.files.refused.map(({ file }) => file)).to.deep.equal([
      '../../../outside.png',
      '/tmp/absolute.png',
      '2031/01/link.png',
      'uploads/2031/01/good.png',
      'uploads/2031/01/shell.php',
    ])
    expect(readFileSync(inUploads('2031/01/good.png'))).to.deep.equal(PNG)
    expect(readdirSync(inUploads('2031/01'))).to.deep.equal(['good.png'])
  })

  it('leaves symbolic links in a zip archive out, and says so', async () => {
    const files = [await admin.uploaded('one.xml', wxr(wxrItem({ id: 906, content: 'x' })))]
    const zip = new ZipArchive()
    zip.append(PNG, { name: '2034/01/good.png' })
    zip.symlink('2034/01/link.jpg', '/etc/passwd')
    await zip.finalize()
    const { report } = await admin.run({ files, uploads: await admin.uploaded('links.zip', await buffer(zip)) })
    expect(report?.files.refused).to.deep.equal([{ file: '2034/01/link.jpg', reason: 'a symbolic link' }])
    expect(readdirSync(inUploads('2034/01'))).to.deep.equal(['good.png'])
  })

  it('refuses an archive that unpacks to far more than it holds, and one that is damaged', async () => {
    const order = async (name: string, bytes: Buffer) => ({
      files: [await admin.uploaded('one.xml', wxr(wxrItem({ id: 902 })))],
      uploads: await admin.uploaded(name, bytes),
    })
    const bomb = pack()
    const megabyte = Buffer.alloc(1024 * 1024)
    const entry = bomb.entry({ name: '2032/01/zeros.png', size: 300 * megabyte.length }, () => bomb.finalize())
    const packed = buffer(bomb.pipe(createGzip()))
    await pipeline(Readable.from(Array.from({ length: 300 }, () => megabyte)), entry)
    const failed = await admin.run(await order('bomb.tar.gz', await packed))
    expect(failed).to.deep.include({ state: 'failed', report: null })
    expect(failed.error).to.include('bomb.tar.gz').and.include('expands to more than 50 times its size')
    expect(existsSync(inUploads('2032'))).to.equal(false)

    const behind = Buffer.concat([gunzipSync(UPLOADS), Buffer.alloc(300 * megabyte.length)])
    const trailed = await admin.run(await order('trail.tar.gz', gzipSync(behind, { level: 1 })))
    expect(trailed.error).to.include('expands to more than 50 times its size')

    const good = gunzipSync(UPLOADS)
    for (const damagedArchive of [UPLOADS.subarray(0, 5000), gzipSync(good.subarray(0, 5000))])
      expect((await admin.run(await order('cut.tar.gz', damagedArchive))).error).to.include('is damaged')
    const archive = await zip({ 'wp-content/uploads/2033/01/zipped.png': PNG, '../2033/slip.png': PNG })
    expect((await admin.run(await order('media.zip', archive))).state).to.equal('complete')
    expect(readdirSync(inUploads('2033/01'))).to.deep.equal(['zipped.png'])
    const slip = join(site.host.config.siteDir, '2033')
    expect(existsSync(slip)).to.equal(false)
  })
})

describe('an import in a site that is killed', () => {
  it('goes on at the next start, to the same end', async () => {
    const siteDir = startedSite()
    let site = await startPentad(siteDir)
    const { output } = await pentad(siteDir, ['user', 'app-password', 'admin', 'test'])
    const authorization = `Basic ${btoa(`admin:${/[a-z0-9]{4}(?: [a-z0-9]{4}){5}/i.exec(output)?.[0] ?? ''}`)}`
    const items = Array.from({ length: 3000 }, (_, at) => wxrItem({ id: 5000 + at, content: `Text ${at}` }))
    const before = importer(site.url, authorization)
    const order = { files: [await before.uploaded('many.xml', wxr(...items))] }
    expect((await before.start(order)).status).to.equal(202)
    await until(async () => Number(/^(\d+) posts/.exec((await before.current())?.message ?? '')?.[1] ?? 0) > 20)
    await site.end('SIGKILL')

    site = await startPentad(siteDir)
    try {
      const after = importer(site.url, authorization)
      const { state, report } = await after.ended()
      expect(state).to.equal('complete')
      // Also those that were there when the site was killed.
      expect(report?.posts.post).to.deep.equal({ added: 3000, existing: 0 })
      const count = execFileSync(process.execPath, [
        '-e',
        `console.log(new (require('node:sqlite').DatabaseSync)(process.argv[1]).prepare("select count(*) n from posts where type = 'post'").get().n)`,
        join(siteDir, 'site.db'),
      ])
      expect(Number(String(count))).to.equal(3000)
    } finally {
      await site.end()
    }
  })
})
