import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { expect } from 'chai'
import request from 'supertest'
import { readCompressed } from '../../cms/site/files/compressed.ts'
import { findFile } from '../../cms/site/files/find-file.ts'
import { getExactly, type SiteUnderTest, startSite } from './site-under-test.ts'

describe('GET /wp-content/uploads', () => {
  let site: SiteUnderTest
  const get = (path: string) => request(site.http).get(`/wp-content/uploads/${path}`)

  before(async () => {
    site = await startSite()
    const folder = join(site.config.siteDir, 'uploads')
    mkdirSync(join(folder, '2026/01'), { recursive: true })
    const files = {
      '2026/01/note.txt': '0123456789',
      '2026/01/empty.txt': '',
      '2026/01/Bild mit Ü.jpg': 'picture',
      '2026/01/drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      '2026/01/archive.zip': 'PK',
      '2026/01/film.mp4': 'film',
      '.htaccess': 'secret',
      '2026/.env': 'secret',
    }
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
    for (const type of [
      'html',
      'HTM',
      'xhtml',
      'js',
      'mjs',
      'php',
      'phtml',
      'xml',
      'svgz',
      'css',
      'swf',
      'shtml',
      'xsl',
    ])
      writeFileSync(join(folder, `active.${type}`), '<script>alert(1)</script>')
    writeFileSync(join(site.config.siteDir, 'outside.txt'), 'secret')
    symlinkSync(join(site.config.siteDir, 'outside.txt'), join(folder, 'link.txt'))
    symlinkSync(site.config.siteDir, join(folder, 'linked'))
    symlinkSync(join(folder, '2026/01/note.txt'), join(folder, 'inside.txt'))
    execFileSync('mkfifo', [join(folder, 'pipe.txt')])
  })
  after(() => site.close())

  it('compresses text for clients that accept it, with a validator of its own; ranges are of the file', async () => {
    const text = 'body { color: teal }\n'.repeat(200)
    writeFileSync(join(site.config.siteDir, 'uploads/2026/01/long.txt'), text)
    const ask = (encoding: string) => get('2026/01/long.txt').set('Accept-Encoding', encoding)
    const plain = await ask('identity').expect(200)
    expect(plain.headers).to.include({ vary: 'Accept-Encoding', 'content-length': String(text.length) })
    expect(plain.headers).to.not.have.property('content-encoding')
    for (const [accepted, coding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
    ] as const) {
      const { headers, text: read } = await ask(accepted).expect(200)
      expect(headers).to.include({ 'content-encoding': coding, vary: 'Accept-Encoding' })
      expect(Number(headers['content-length'])).to.be.lessThan(300)
      expect(read).to.equal(text)
      expect(headers.etag).to.not.equal(plain.headers.etag)
      await ask(accepted).set('If-None-Match', String(headers.etag)).expect(304)
      await ask('identity').set('If-None-Match', String(headers.etag)).expect(200)
    }
    const part = await ask('br').set('Range', 'bytes=0-3').expect(206)
    expect(part.text).to.equal('body')
    expect(part.headers).to.not.have.property('content-encoding')
    writeFileSync(join(site.config.siteDir, 'uploads/2026/01/long.txt'), text.toUpperCase())
    expect((await ask('br')).text).to.equal(text.toUpperCase())
    const short = await get('2026/01/note.txt').set('Accept-Encoding', 'br')
    expect(short.headers).to.not.have.any.keys('vary', 'content-encoding')
  })

  it('compresses a file once for simultaneous requests, and a long one less', async () => {
    const folder = join(site.config.siteDir, 'uploads')
    const text = Array.from({ length: 60_000 }, (_, at) => `.rule-${at * at} {}`).join(' ')
    writeFileSync(join(folder, '2026/01/theme.txt'), text)
    const read = async () => {
      const file = await findFile(folder, '2026/01/theme.txt')
      return file && readCompressed(file, 'br')
    }
    const bodies = await Promise.all(Array.from({ length: 5 }, read))
    expect(new Set(bodies)).to.have.property('size', 1)
    expect(await read()).to.equal(bodies[0])
    const [body] = bodies
    expect(body && brotliDecompressSync(body).toString()).to.equal(text)
    const best = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })
    expect(body?.length).to.be.within(best.length + 1, text.length / 2)
  })

  it('sends a file whole', async () => {
    const { status, headers, text } = await get('2026/01/note.txt')
    expect([status, text]).to.deep.equal([200, '0123456789'])
    expect(headers['content-type']).to.equal('text/plain; charset=utf-8')
    expect(headers['content-length']).to.equal('10')
    expect(headers['accept-ranges']).to.equal('bytes')
    expect(headers['x-content-type-options']).to.equal('nosniff')
    expect(headers['cache-control']).to.match(/^public, max-age=\d+$/)
    expect(headers).to.include.keys('etag', 'last-modified')
  })

  it('sends an empty file, a name with blanks and umlauts, and a link inside the folder', async () => {
    expect((await get('2026/01/empty.txt').expect(200)).headers['content-length']).to.equal('0')
    expect((await get('2026/01/Bild%20mit%20%C3%9C.jpg').expect(200)).headers['content-type']).to.equal('image/jpeg')
    await get('inside.txt').expect(200)
  })

  it('does not wait for a pipe', async () => {
    await get('pipe.txt').expect(404)
  })

  it('answers HEAD without the file', async () => {
    const { headers, text } = await request(site.http).head('/wp-content/uploads/2026/01/note.txt').expect(200)
    expect([headers['content-length'], text ?? '']).to.deep.equal(['10', ''])
  })

  it('responds with 304 to a client that has it', async () => {
    const { headers } = await get('2026/01/note.txt')
    await get('2026/01/note.txt')
      .set('If-None-Match', headers.etag ?? '')
      .expect(304)
    await get('2026/01/note.txt')
      .set('If-Modified-Since', headers['last-modified'] ?? '')
      .expect(304)
    await get('2026/01/note.txt').set('If-None-Match', '"other"').expect(200)
  })

  const ranges: [range: string, status: number, text: string, contentRange: string | undefined][] = [
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=4-', 206, '456789', 'bytes 4-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=8-100', 206, '89', 'bytes 8-9/10'],
    ['bytes=-100', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=5-2', 200, '0123456789', undefined],
    ['bytes=x', 200, '0123456789', undefined],
    ['lines=1-2', 200, '0123456789', undefined],
    ['bytes=0-9,0-9,0-9', 200, '0123456789', undefined],
  ]
  for (const [range, status, text, contentRange] of ranges) {
    it(`answers Range: ${range} with ${status}`, async () => {
      const answer = await get('2026/01/note.txt').set('Range', range)
      expect([answer.status, answer.text ?? '', answer.headers['content-range']]).to.deep.equal([
        status,
        text,
        contentRange,
      ])
    })
  }

  it('answers several ranges as parts', async () => {
    const answer = await get('2026/01/note.txt')
      .set('Range', 'bytes=0-1,8-')
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => done(null, Buffer.concat(chunks).toString()))
      })
    expect(answer.status).to.equal(206)
    const boundary = /^multipart\/byteranges; boundary=(\w+)$/.exec(answer.headers['content-type'] ?? '')?.[1]
    const part = (range: string, text: string) =>
      `\r\n--${boundary}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Range: bytes ${range}/10\r\n\r\n${text}`
    const expected = `${part('0-1', '01')}${part('8-9', '89')}\r\n--${boundary}--\r\n`
    expect(answer.body).to.equal(expected)
    expect(answer.headers['content-length']).to.equal(String(expected.length))
  })

  it('closes the files of clients that leave at once', async function () {
    if (process.platform !== 'linux') this.skip()
    await new Promise<void>((resolve) => site.http.listen(0, '127.0.0.1', resolve))
    try {
      for (const range of ['0-9', '0-3', '0-1,8-9']) {
        for (let at = 0; at < 200; at++) await leaveAtOnce(site.http, '2026/01/note.txt', range, at % 5)
      }
      for (let tries = 0; openFiles('note.txt') > 0 && tries < 100; tries++) await wait(50)
      expect(openFiles('note.txt')).to.equal(0)
    } finally {
      await new Promise((resolve) => site.http.close(resolve))
    }
  })

  it('sends the whole when If-Range names another state', async () => {
    const { headers } = await get('2026/01/note.txt')
    const asked = (condition: string) => get('2026/01/note.txt').set({ Range: 'bytes=0-1', 'If-Range': condition })
    expect((await asked(headers.etag ?? '')).status).to.equal(206)
    expect((await asked(headers['last-modified'] ?? '')).status).to.equal(206)
    expect((await asked('"other"')).status).to.equal(200)
    expect((await asked('Mon, 01 Jan 2001 00:00:00 GMT')).status).to.equal(200)
  })

  for (const type of [
    'html',
    'HTM',
    'xhtml',
    'js',
    'mjs',
    'php',
    'phtml',
    'xml',
    'svgz',
    'css',
    'swf',
    'shtml',
    'xsl',
  ]) {
    it(`refuses .${type}`, async () => {
      const { status, text } = await get(`active.${type}`)
      expect(status).to.equal(404)
      expect(text).to.not.contain('alert(1)')
    })
  }

  it('shows a drawing without its scripts and without the network', async () => {
    const { headers } = await get('2026/01/drawing.svg').expect(200)
    expect(headers['content-type']).to.equal('image/svg+xml')
    expect(headers['content-security-policy']).to.equal("sandbox; default-src 'none'; style-src 'unsafe-inline'")
  })

  it('offers what a browser cannot show as a download', async () => {
    expect((await get('2026/01/archive.zip').expect(200)).headers['content-disposition']).to.equal('attachment')
    expect((await get('2026/01/film.mp4').expect(200)).headers['content-disposition']).to.equal(undefined)
  })

  const outside = [
    '../config.json',
    '..%2fsecret.key',
    '%2e%2e/secret.key',
    '%2e%2e%2fsecret.key',
    '2026/../../secret.key',
    '..%5csecret.key',
    '..\\secret.key',
    '%252e%252e/secret.key',
    'link.txt',
    'linked/outside.txt',
    '.htaccess',
    '2026/.env',
    '2026/01/note.txt/',
    '2026//01/note.txt',
    '2026/01/note.txt%00.jpg',
    '2026/01',
    '2026/01/',
    '',
    '%zz',
    '2026/01/none.txt',
  ]
  for (const path of outside) {
    it(`has nothing at ${path || 'the folder itself'}`, async () => {
      const { status, text } = await getExactly(site.http, `/wp-content/uploads/${path}`)
      expect(status).to.equal(404)
      expect(text).to.not.contain('secret')
    })
  }

  it('lets an extension announce a file of its own', async () => {
    mkdirSync(join(site.config.siteDir, 'uploads/pwa/scripts'), { recursive: true })
    writeFileSync(join(site.config.siteDir, 'uploads/pwa/scripts/serviceworker.js'), 'self.x = 1')
    await get('pwa/scripts/serviceworker.js').expect(404)
    const undo = site.hooks.addFilter('upload_headers', (headers, path) =>
      path === 'pwa/scripts/serviceworker.js'
        ? { 'Content-Type': 'text/javascript; charset=utf-8', 'Service-Worker-Allowed': '/' }
        : headers,
    )
    const { headers } = await get('pwa/scripts/serviceworker.js').expect(200)
    expect(headers['service-worker-allowed']).to.equal('/')
    await get('active.js').expect(404)
    undo()
    await get('pwa/scripts/serviceworker.js').expect(404)
  })
})

describe('GET /wp-content/themes', () => {
  let site: SiteUnderTest
  const get = (path: string) => request(site.http).get(`/wp-content/themes/${path}`)

  before(async () => {
    site = await startSite()
  })
  after(() => site.close())

  it('sends style sheets and pictures of the theme', async () => {
    const plain = await get('default/style.css').expect(200)
    expect(plain.headers['content-type']).to.equal('text/css; charset=utf-8')
    expect(plain.headers['cache-control']).to.equal('public, max-age=0, must-revalidate')
    await get('default/favicon.svg').expect(200)
  })

  it('is cached permanently at the versioned URL that pages refer to', async () => {
    const { text } = await request(site.http).get('/')
    const href = /\/wp-content\/themes\/(default\/style\.css\?ver=\w+)/.exec(text)?.[1] ?? ''
    const { headers } = await get(href).expect(200)
    expect(headers['cache-control']).to.equal('public, max-age=31536000, immutable')
  })

  it('keeps templates and everything outside to itself', async () => {
    for (const path of [
      'default/layout.eta',
      'default/partials/header.eta',
      'default/',
      'default/../../package.json',
      '%2e%2e/package.json',
      'default/%2e%2e/%2e%2e/package.json',
      '../app/index.ts',
      'nothing/style.css',
      './style.css',
    ])
      expect((await getExactly(site.http, `/wp-content/themes/${path}`)).status, path).to.equal(404)
  })
})

/** Asks for parts of a file and resets the connection after so many milliseconds. */
async function leaveAtOnce(http: Server, path: string, range: string, after: number): Promise<void> {
  const address = http.address()
  const socket = connect(address && typeof address === 'object' ? address.port : 0, '127.0.0.1')
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const lines = [`GET /wp-content/uploads/${path} HTTP/1.1`, 'Host: x', `Range: bytes=${range}`]
  await new Promise((resolve) => socket.write(`${lines.join('\r\n')}\r\n\r\n`, resolve))
  await wait(after)
  socket.resetAndDestroy()
  await closed
}

/** How many files of that name this process has open. */
function openFiles(name: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith(`/${name}`)
    } catch {
      // It has been closed since.
      return false
    }
  }).length
}
