import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import sharp from 'sharp'
import { describeImport } from '../../../cms/content/import/index.ts'
import { fetchResumable } from '../../../cms/content/import/resumable-file.ts'
import { temporaryFolder } from '../../support/site-folder.ts'
import { until } from '../../support/until.ts'
import { type OpenSite, openSite } from './open-site.ts'
import { wxrFile, wxrItem } from './wxr-file.ts'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

describe('pentad import --download', () => {
  const asked: string[] = []
  const answers = new Map<string, Answer>()
  const server = createServer((request, response) => {
    const { url = '' } = request
    asked.push(`${url}${request.headers.range === undefined ? '' : ` ${request.headers.range}`}`)
    const answer = answers.get(url)
    if (answer) answer(response, request)
    else response.writeHead(404).end()
  })
  let origin: string
  let site: OpenSite
  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => server.close())
  beforeEach(async () => {
    asked.length = 0
    answers.clear()
    site = await openSite(undefined)
  })
  afterEach(() => site.close())

  const serve = (path: string, body: Buffer | string) =>
    answers.set(`/wp-content/uploads/${path}`, (response) => response.end(body))
  const attachment = (id: number, file: string, host = origin) =>
    wxrItem({ id, type: 'attachment', status: 'inherit', meta: { _wp_attached_file: file } }).replace(
      '<wp:post_id>',
      `<wp:attachment_url>${host}/wp-content/uploads/${file}</wp:attachment_url><wp:post_id>`,
    )
  const stored = (path: string, siteDir = site.siteDir) => join(siteDir, 'uploads', path)
  const trusted = { isTrusted: (url: URL) => url.origin === origin }
  const photo = () =>
    sharp({ create: { width: 90, height: 60, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer()

  it('fetches what attachments and texts name, and makes the sizes that the old site has not', async () => {
    const image = await photo()
    for (const path of ['2020/01/a.jpg', '2020/01/b-60x40.jpg', '2020/02/ü.jpg']) serve(path, image)
    serve('2020/02/doc.pdf', '%PDF-1.4')
    answers.set('/wp-content/uploads/2020/01/b.jpg', (response) => {
      answers.delete('/wp-content/uploads/2020/01/b.jpg')
      serve('2020/01/b.jpg', image)
      response.writeHead(503).end()
    })
    const content = `<img src="${origin}/wp-content/uploads/2020/01/a-30x20.jpg"> <img src="${origin}/wp-content/uploads/2020/01/b-60x40.jpg">
      <a href="${origin}/wp-content/uploads/2020/02/doc.pdf">x</a> <img src="${origin}/wp-content/uploads/2020/02/%C3%BC.jpg?w=1">`
    answers.set('/wp-content/uploads/2020/02/%C3%BC.jpg', (response) => response.end(image))
    const file = wxrFile([
      wxrItem({ id: 40, content }),
      attachment(50, '2020/01/a.jpg'),
      attachment(51, '2020/01/b.jpg'),
      attachment(52, '2020/02/lost.jpg'),
    ])
    const messages: string[] = []
    const report = await site.import(file, undefined, ({ message }) => messages.push(message), trusted)
    expect(report.files).to.deep.include({ downloaded: 5, resized: 1 })
    expect(report.missingFiles).to.have.length(1)
    expect(report.missingFiles.join()).to.match(/^2020\/02\/lost\.jpg: .*the server responded with status 404/)
    for (const path of ['2020/01/a.jpg', '2020/01/b.jpg', '2020/02/ü.jpg'])
      expect(readFileSync(stored(path)).equals(image), path).to.equal(true)
    expect(existsSync(stored('2020/01/a-30x20.jpg'))).to.equal(true)
    expect(messages.join('\n')).to.match(/^6 of 7 files, \d+\.\d MB downloaded$/m)
    expect(await site.content.meta.get('post', 50, '_wp_attachment_metadata')).to.deep.include({ width: 90 })

    asked.length = 0
    await site.import(file, undefined, undefined, trusted)
    expect(asked, 'what is there is not asked for again').to.deep.equal(['/wp-content/uploads/2020/02/lost.jpg'])
  })

  it('takes only what an upload may be, without scripts', async () => {
    serve('a.jpg', '<html><script>alert(1)</script>')
    serve('b.pdf', '<?php system($_GET[0]);')
    serve('c.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><path d="M0 0"/></svg>')
    serve('d.png', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    serve('e.svg', '<!DOCTYPE svg [<!ENTITY x "y">]><svg xmlns="http://www.w3.org/2000/svg"/>')
    serve('f.png', await photo())
    const names = ['a.jpg', 'b.pdf', 'c.svg', 'd.png', 'e.svg', 'f.png', 'g.php', 'h.html', 'i.js']
    const file = wxrFile(names.map((name, at) => attachment(50 + at, name)))
    const report = await site.import(file, undefined, undefined, trusted)
    expect(readdirSync(join(site.siteDir, 'uploads')).filter((name) => /^\w\.\w+$/.test(name))).to.deep.equal([
      'c.svg',
      'f.png',
    ])
    expect(readFileSync(stored('c.svg'), 'utf8'))
      .to.contain('<path')
      .and.not.contain('script')
    expect(report.missingFiles.map((line) => line.replace(/:.*/, ''))).to.deep.equal(
      names.filter((name) => !/^[cf]/.test(name)),
    )
    expect(asked.filter((path) => /\.(?:php|html|js)$/.test(path))).to.deep.equal([])
  })

  it('says whether the connection ended early or nothing came', async () => {
    for (const [path, isCut] of [
      ['short.jpg', true],
      ['hang.jpg', false],
    ] as const)
      answers.set(`/wp-content/uploads/${path}`, (response) => {
        response.writeHead(200, { 'Content-Length': 1000 }).write('begun')
        if (isCut) setImmediate(() => response.destroy())
      })
    const reasonOf = (path: string) =>
      fetchResumable(`${origin}/wp-content/uploads/${path}`, join(site.siteDir, path), {
        ...{ ...trusted, patience: 200, signal: new AbortController().signal, onBytes: () => {} },
      }).then(
        () => 'fetched',
        (error: Error) => error.message,
      )
    expect(await reasonOf('short.jpg')).to.match(
      /short\.jpg is not used: the connection was closed before the download was complete\.$/,
    )
    expect(await reasonOf('hang.jpg')).to.match(/hang\.jpg is not used: no data was received for 0\.2 seconds\.$/)
  })

  it('leaves the file of another attachment as it is, says so, and lists all that is missing', async () => {
    mkdirSync(join(site.siteDir, 'uploads/2020'), { recursive: true })
    writeFileSync(stored('2020/mine.txt'), 'mine')
    await site.content.posts.insert({
      type: 'attachment',
      title: 'Mine',
      meta: { _wp_attached_file: ['2020/mine.txt'] },
    })
    const lost = Array.from({ length: 30 }, (_, at) => `2020/lost-${at}.txt`)
    const file = wxrFile(['2020/mine.txt', ...lost].map((name, at) => attachment(50 + at, name)))
    const report = await site.import(file)
    expect(readFileSync(stored('2020/mine.txt'), 'utf8')).to.equal('mine')
    expect(report.files.refused).to.deep.equal([{ file: '2020/mine.txt', reason: 'another file has the same name' }])
    for (const name of lost) expect(describeImport(report)).to.contain(`\n  ${name}\n`)
  })

  it('asks public addresses only, also behind a redirect', async () => {
    serve('secret.txt', 'secret')
    answers.set('/wp-content/uploads/away.txt', (response) => {
      const { port } = new URL(origin)
      response.writeHead(302, { Location: `http://localhost:${port}/wp-content/uploads/secret.txt` }).end()
    })
    const hosts = [
      'http://localhost',
      'http://127.1',
      'http://[::1]',
      'http://169.254.169.254',
      'http://10.0.0.1',
      'file://',
      'http://u:p@127.0.0.1',
    ]
    const file = wxrFile([
      ...hosts.map((host, at) => attachment(50 + at, `${at}.txt`, host)),
      attachment(70, 'away.txt'),
      attachment(71, 'x.txt', origin.replace('127.0.0.1', 'localhost')),
    ])
    const report = await site.import(file, undefined, undefined, trusted)
    expect(report.files.downloaded).to.equal(0)
    expect(report.missingFiles).to.have.length(hosts.length + 2)
    expect(report.missingFiles.join('\n')).to.match(/^away\.txt: localhost has an address that is not public\.$/m)
    expect(asked).to.deep.equal(['/wp-content/uploads/away.txt'])
  })

  it('continues after kill -9: complete files are not downloaded again, and incomplete ones are resumed', async () => {
    const body = Buffer.concat([Buffer.from('ID3'), randomBytes(200_001)])
    const half = body.length / 2
    let isSlow = true
    for (const name of ['1.txt', '2.txt']) serve(name, 'complete')
    answers.set('/wp-content/uploads/large.mp3', (response, { headers }) => {
      const from = headers['if-range'] === '"v1"' ? Number(/\d+/.exec(headers.range ?? '')?.[0] ?? 0) : 0
      response.writeHead(from > 0 ? 206 : 200, {
        ETag: '"v1"',
        'Content-Length': body.length - from,
        ...(from > 0 && { 'Content-Range': `bytes ${from}-${body.length - 1}/${body.length}` }),
      })
      if (isSlow) response.write(body.subarray(0, half))
      else response.end(body.subarray(from))
    })
    const file = wxrFile(['large.mp3', '1.txt', '2.txt'].map((name, at) => attachment(50 + at, name)))
    const siteDir = temporaryFolder()
    const parts = join(siteDir, 'tmp/import')
    const hasHalf = () =>
      existsSync(parts) &&
      readdirSync(parts).some((name) => !name.includes('.') && statSync(join(parts, name)).size === half)

    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'import-downloading.ts'), JSON.stringify({ file, siteDir })],
      {
        stdio: 'inherit',
      },
    )
    const ended = once(child, 'exit')
    await until(() => hasHalf() && ['1.txt', '2.txt'].every((name) => existsSync(stored(name, siteDir))))
    child.kill('SIGKILL')
    await ended

    isSlow = false
    asked.length = 0
    const again = await openSite(undefined, { siteDir })
    const report = await again.import(file, undefined, undefined, trusted)
    await again.close()
    expect(asked).to.deep.equal([`/wp-content/uploads/large.mp3 bytes=${half}-`])
    // The two others as well: the process that was killed was the first half of this import.
    expect(report.files.downloaded).to.equal(3)
    expect(readFileSync(stored('large.mp3', siteDir)).equals(body)).to.equal(true)
    expect(existsSync(parts)).to.equal(false)
  })
})
