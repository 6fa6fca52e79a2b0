import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'
import { readForm } from '../../cms/http/request-form.ts'
import { createServer } from '../../core/http/server.ts'
import { createLog } from '../../core/log.ts'
import { ask, speak, statusOf } from '../support/wire.ts'

/** Stands in what must never leave the site folder. */
const SECRET = 'not-for-anybody'

/** Ways out of a folder, as bytes of a request line. */
const WAYS_OUT = [
  '..',
  '%2e%2e',
  '.%2e',
  '%2E.',
  '%252e%252e',
  '%c0%ae%c0%ae',
  '%u002e%u002e',
  '..%00',
  '...',
  '....',
  '..;',
  '.. ',
  '\xff\xfe',
]
const SEPARATORS = ['/', '%2f', '%5c', '\\', '//', '/./', '%252f', '%c0%af']
const TARGETS = ['secret.key', 'options.json', 'config.json', 'site.db', 'outside.txt', 'etc/passwd', 'package.json']

describe('bad requests, byte by byte', () => {
  let site: TestHost
  let secrets: string[]
  before(async () => {
    site = await createTestHost()
    const { siteDir } = site.host.config
    mkdirSync(join(siteDir, 'uploads/2026'), { recursive: true })
    mkdirSync(join(siteDir, 'themes/mine'), { recursive: true })
    for (const path of [
      'outside.txt',
      'outside.css',
      'config.json',
      'uploads/.env',
      'uploads/x.php',
      'themes/mine/layout.eta',
    ]) {
      writeFileSync(join(siteDir, path), SECRET)
    }
    writeFileSync(join(siteDir, 'uploads/2026/note.txt'), '0123456789')
    writeFileSync(join(siteDir, 'themes/mine/style.css'), 'body { color: red }')
    symlinkSync(siteDir, join(siteDir, 'uploads/up'))
    symlinkSync(siteDir, join(siteDir, 'themes/mine/up'))
    symlinkSync('../../outside.css', join(siteDir, 'themes/mine/linked.css'))
    symlinkSync(join(siteDir, 'secret.key'), join(siteDir, 'uploads/key.txt'))
    symlinkSync('loop.txt', join(siteDir, 'uploads/loop.txt'))
    secrets = [
      SECRET,
      readFileSync(join(siteDir, 'secret.key'), 'latin1').trim(),
      'SQLite format 3',
      'root:x:',
      '"pentad"',
    ]
  })
  after(() => site.close())

  function expectNothingFrom(answer: string, asked: string): void {
    expect(statusOf(answer), asked).to.be.within(300, 499)
    for (const secret of secrets) expect(answer.includes(secret), `${asked} shows ${secret}`).to.equal(false)
  }

  describe('for files outside the folders of uploads and themes', () => {
    it('serves the protected files at their own URLs', async () => {
      expect(await ask(site.url, '/wp-content/uploads/2026/note.txt')).to.contain('0123456789')
      expect(await ask(site.url, '/wp-content/themes/mine/style.css')).to.contain('color: red')
    })

    for (const way of WAYS_OUT) {
      it(`by ${JSON.stringify(way)}`, async () => {
        for (const prefix of ['/wp-content/uploads', '/wp-content/uploads/2026', '/wp-content/themes/mine', '']) {
          for (const [at, separator] of SEPARATORS.entries()) {
            for (const depth of [1, 2, 6]) {
              const target = TARGETS[(at + depth) % TARGETS.length] ?? ''
              const path = `${prefix}/${`${way}${separator}`.repeat(depth)}${target}`
              const answer = await ask(site.url, path)
              // The page of a path without a way out may be the front page's.
              if (statusOf(answer) !== 200) expectNothingFrom(answer, path)
              for (const secret of secrets) expect(answer.includes(secret), path).to.equal(false)
            }
          }
        }
      })
    }

    for (const path of [
      '/wp-content/uploads//etc/passwd',
      '/wp-content/uploads/%2fetc/passwd',
      '/wp-content/uploads/C:/Windows/win.ini',
      '/wp-content/uploads/C%3a%5cWindows',
      '/wp-content/uploads/up/outside.txt',
      '/wp-content/uploads/up/secret.key',
      '/wp-content/uploads/up/uploads/2026/note.txt/..',
      '/wp-content/uploads/key.txt',
      '/wp-content/uploads/loop.txt',
      '/wp-content/uploads/.env',
      '/wp-content/uploads/.env%20',
      '/wp-content/uploads/%2eenv',
      '/wp-content/uploads/x.php',
      '/wp-content/uploads/x.PHP',
      '/wp-content/uploads/x.php%00.jpg',
      '/wp-content/uploads/x.php/',
      '/wp-content/uploads/x.php/y.jpg',
      '/wp-content/uploads/x.php%20',
      '/wp-content/uploads/x.php.',
      '/wp-content/uploads/2026/note.txt%00',
      '/wp-content/uploads/2026/note.txt::$DATA',
      `/wp-content/uploads/${'a'.repeat(5000)}.txt`,
      `/wp-content/uploads/${'a/'.repeat(3000)}x.txt`,
      '/wp-content/themes/mine/up/outside.css',
      '/wp-content/themes/mine/linked.css',
      '/wp-content/themes/mine/%2e%2e/%2e%2e/outside.css',
      '/wp-content/themes/mine/..%2f..%2foutside.css',
      '/wp-content/themes/../outside.css',
      '/wp-content/themes/%2e%2e/outside.css',
      '/wp-content/themes/..%5coutside.css',
      '/wp-content/themes/mine/layout.eta',
      '/wp-content/themes/mine',
      '/wp-content/themes/',
      '/wp-content/themes/__proto__/style.css',
      '/wp-content/themes/constructor/style.css',
      '/wp-content/themes/%00/style.css',
      '/wp-content/themes/../uploads/x.php',
      '/wp-content/',
      '/wp-content/secret.key',
      '/site/secret.key',
      '/secret.key',
      '/options.json',
      '/.git/config',
    ]) {
      it(`at ${path.slice(0, 60)}`, async () => expectNothingFrom(await ask(site.url, path), path))
    }
  })

  describe('in headers', () => {
    const nonsense = [
      '',
      ' ',
      ',',
      '"',
      '\t',
      '\xff\xfe',
      '%00',
      'null',
      '-1',
      'x'.repeat(4000),
      ';;;===',
      '[object Object]',
    ]
    const paths = [
      '/',
      '/wp-json/wp/v2/posts?per_page=1',
      '/wp-content/uploads/2026/note.txt',
      '/wp-login.php',
      '/feed/',
    ]
    const headers: Readonly<Record<string, readonly string[]>> = {
      Host: ['evil.example', 'evil.example:99999', '[::1', '127.0.0.1@evil.example', 'a/b', '..', 'x'.repeat(300)],
      'X-Forwarded-For': ['::', '1.2.3.4, x', "' OR 1=1 --", '<script>'],
      'X-Forwarded-Proto': ['https', 'javascript', 'https,http'],
      'X-Forwarded-Host': ['evil.example', '//'],
      Forwarded: ['for=_x;proto=https;host=evil.example', 'for="[::1'],
      Range: ['bytes=0-0,-1', 'bytes=99999999999999999999-', 'bytes=--1', 'bytes=-', `bytes=${'0-1,'.repeat(500)}0-1`],
      'If-Range': ['"', 'W/"x"', 'Mon, 99 Foo 0000 00:00:00 GMT'],
      'If-None-Match': ['*', 'W/', '"a","b', '"'.repeat(3000)],
      'If-Modified-Since': ['x', 'Mon, 01 Jan 99999 00:00:00 GMT'],
      Cookie: ['=', 'a', '__proto__=1', 'wordpress_logged_in=x|y|z', 'a=%E0%A4%A', `${'a=b; '.repeat(700)}`],
      Authorization: [
        'Basic',
        'Basic %%%',
        'Basic Og==',
        'Bearer x',
        'Digest username="x"',
        'Basic \xff',
        `Basic ${btoa('a:\0')}`,
      ],
      'X-WP-Nonce': ['0123456789', '__proto__'],
      Accept: ['*/*;q=x', 'text/html;q=99'],
      'Accept-Encoding': ['br;q=9', 'identity;q=0, *;q=0', 'gzip,'.repeat(500)],
      'Accept-Language': ['x-klingon', '../../etc/passwd'],
      Origin: ['null', 'evil', 'http://', 'javascript:alert(1)', 'http://a b'],
      Referer: ['x', 'http://[', 'data:,'],
      'Content-Type': ['multipart/form-data', ';'],
      'X-HTTP-Method-Override': ['DELETE', 'x'],
      'User-Agent': ['<?php system("id") ?>', '%{(#a=1)}'],
    }
    for (const [name, values] of Object.entries(headers)) {
      it(name, async () => {
        for (const path of paths) {
          for (const value of [...values, ...nonsense]) {
            const answer = await ask(site.url, path, `${name}: ${value}`)
            expect(statusOf(answer), `${path} ${name}: ${value.slice(0, 80)}`).to.be.within(200, 499)
            expect(answer).not.to.match(/evil\.example|<script>alert/)
          }
        }
      })
    }

    it('with a second line hidden in a value', async () => {
      const answer = await ask(site.url, '/wp-login.php?redirect_to=%0d%0aSet-Cookie:%20a=b')
      expect(answer).not.to.match(/^Set-Cookie: a=b/im)
      expect(await ask(site.url, '/%0d%0aSet-Cookie:%20a=b')).not.to.match(/^Set-Cookie: a=b/im)
      expect(await ask(site.url, '/?p=1%0d%0aX-Bad:%201')).not.to.match(/^X-Bad/im)
    })
  })

  describe('that are hardly HTTP', () => {
    const host = 'Host: x\r\n'
    const close = 'Connection: close\r\n\r\n'
    const requests: Readonly<Record<string, string>> = {
      'an empty line': '\r\n\r\n',
      noise: '\x00\x01\x02\x03\xff\r\n\r\n',
      'TLS to a plain port': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      'no version': 'GET /\r\n\r\n',
      'a version of the future': `GET / HTTP/9.9\r\n${host}${close}`,
      'an unknown method': `FOO / HTTP/1.1\r\n${host}${close}`,
      'no host': 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n',
      'two hosts': `GET / HTTP/1.1\r\n${host}Host: y\r\n${close}`,
      'the whole address': `GET http://127.0.0.1/wp-json/ HTTP/1.1\r\n${host}${close}`,
      'the address of another': `GET http://evil.example/wp-json/ HTTP/1.1\r\n${host}${close}`,
      'half an address': `GET http:// HTTP/1.1\r\n${host}${close}`,
      'an address that is none': `GET http://[::1/ HTTP/1.1\r\n${host}${close}`,
      'a star to read': `GET * HTTP/1.1\r\n${host}${close}`,
      'no path': `GET evil.example HTTP/1.1\r\n${host}${close}`,
      'a star': `OPTIONS * HTTP/1.1\r\n${host}${close}`,
      CONNECT: `CONNECT evil.example:443 HTTP/1.1\r\n${host}${close}`,
      'two slashes': `GET //evil.example/ HTTP/1.1\r\n${host}${close}`,
      'two slashes and a backslash': `GET /\\evil.example/ HTTP/1.1\r\n${host}${close}`,
      'a question mark only': `GET ? HTTP/1.1\r\n${host}${close}`,
      'a broken escape': `GET /%E0%A4%A HTTP/1.1\r\n${host}${close}`,
      'a hash': `GET /#/../x HTTP/1.1\r\n${host}${close}`,
      'bytes beyond ASCII': `GET /\xff\xfe?\xff=\xfe HTTP/1.1\r\n${host}${close}`,
      'a long address': `GET /wp-json/?${'a'.repeat(20_000)} HTTP/1.1\r\n${host}${close}`,
      'a thousand headers': `GET / HTTP/1.1\r\n${host}${'A: b\r\n'.repeat(3000)}${close}`,
      'a header without a name': `GET / HTTP/1.1\r\n${host}: x\r\n${close}`,
      'a folded header': `GET / HTTP/1.1\r\n${host}A: b\r\n c\r\n${close}`,
      'a length below zero': `POST /wp-json/batch/v1 HTTP/1.1\r\n${host}Content-Length: -1\r\n${close}`,
      'a length that is no number': `POST /wp-json/batch/v1 HTTP/1.1\r\n${host}Content-Length: x\r\n${close}`,
      'two lengths': `POST /wp-json/batch/v1 HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n${close}xx`,
      'length and chunks': `POST /wp-json/batch/v1 HTTP/1.1\r\n${host}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n${close}0\r\n\r\n`,
      'chunks of no length': `POST /wp-json/batch/v1 HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n${close}zz\r\n{}\r\n`,
      'an upgrade to nothing': `GET / HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      'an expectation': `POST /wp-json/batch/v1 HTTP/1.1\r\n${host}Expect: nonsense\r\nContent-Length: 2\r\n${close}{}`,
    }
    for (const [name, request] of Object.entries(requests)) {
      it(name, async () => {
        const answer = await speak(site.url, request)
        if (answer !== '') expect(statusOf(answer), answer.slice(0, 200)).to.be.within(200, 499)
        expect(answer).not.to.match(/^Location: *(?:\/\/|\/\\|https?:\/\/(?!127\.0\.0\.1))/im)
        expect(answer).not.to.contain('evil.example/"')
        expect((await site.get('/wp-json/host/v1/health')).status).to.equal(200)
      })
    }

    it('are answered with an error body like any other', async () => {
      const long = await speak(site.url, requests['a long address'] ?? '')
      expect(long).to.match(/^HTTP\/1\.1 431 .*\r\nContent-Type: application\/json/)
      expect(JSON.parse(long.split('\r\n\r\n')[1] ?? '')).to.deep.include({
        code: 'rest_headers_too_large',
        data: { status: 431 },
      })
      const noise = await speak(site.url, requests.noise ?? '')
      expect(noise)
        .to.match(/^HTTP\/1\.1 400 /)
        .and.to.contain('rest_malformed_request')
    })

    it('are refused where two servers could read another target or host in them', async () => {
      const twice = `GET / HTTP/1.1\r\n${host}Host: evil.example\r\n${close}`
      const targets = ['http://', 'http://[::1/', 'http://a@b/', 'ftp://x/', '*']
      for (const request of [twice, ...targets.map((target) => `GET ${target} HTTP/1.1\r\n${host}${close}`)]) {
        const answer = await speak(site.url, request)
        expect(answer).to.match(/^HTTP\/1\.1 400 [\s\S]*\r\nConnection: close\r\n/)
        expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '').code).to.equal('rest_malformed_request')
      }
    })

    it('get an error that names the missing Host or the unknown expectation, as JSON or as a page', async () => {
      const refused: [lines: string, status: number, code: string][] = [
        ['', 400, 'rest_missing_host'],
        [`${host}Expect: nonsense\r\n`, 417, 'rest_expectation_failed'],
      ]
      for (const [lines, status, code] of refused) {
        const json = await speak(site.url, `GET /wp-json/host/v1/health HTTP/1.1\r\n${lines}\r\n`)
        expect(json).to.match(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*\r\nConnection: close\r\n`))
        expect(JSON.parse(json.split('\r\n\r\n')[1] ?? '')).to.deep.include({ code, data: { status } })
        expect(await speak(site.url, `GET / HTTP/1.1\r\n${lines}\r\n`)).to.contain(`<h1>${status}</h1>`)
      }
      const known = `POST /wp-json/batch/v1 HTTP/1.1\r\n${host}Expect: 100-continue\r\nContent-Type: application/json\r\n`
      // The client waits for that before it sends the body.
      const client = connect(Number(new URL(site.url).port), '127.0.0.1', () =>
        client.write(`${known}Content-Length: 2\r\n${close}`),
      )
      client.once('data', () => client.write('{}'))
      expect((await client.toArray()).join('')).to.match(/^HTTP\/1\.1 100 [\s\S]*HTTP\/1\.1 [24]/)
      // What is refused without its body is not asked for.
      const large = await speak(site.url, `${known}Content-Length: 99999999\r\n${close}`)
      expect(large).to.match(/^HTTP\/1\.1 4(?:01|13) /)
      expect(statusOf(await speak(site.url, 'GET /wp-json/host/v1/health HTTP/1.0\r\n\r\n'))).to.equal(200)
    })

    it('are given up when their headers never end', async () => {
      const server = createServer([], { trustedProxies: [], log: createLog('silent') })
      server.http.headersTimeout = 1
      const port = await server.listen(0, '127.0.0.1')
      try {
        const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nA: b'))
        expect((await socket.toArray()).join('')).to.contain('rest_request_timeout')
      } finally {
        await server.close()
      }
    })

    it('say nothing into an answer that is under way', async () => {
      const whole = `GET /wp-json/wp/v2/types HTTP/1.1\r\n${host}\r\n`
      const answer = await speak(site.url, `${whole}\x00\x01 noise\r\n\r\n`)
      expect(answer === '' || /^HTTP\/1\.1 (?:200|400)/.test(answer), answer.slice(0, 100)).to.equal(true)
      expect(answer.match(/HTTP\/1\.1/g) ?? []).to.have.length.at.most(2)
    })

    it('bodies that end early do not affect other requests', async () => {
      const length = 'Content-Type: application/json\r\nContent-Length: 100\r\n'
      await speak(site.url, `POST /wp-json/batch/v1 HTTP/1.1\r\n${host}${length}${close}{"requests":`)
      expect((await site.get('/wp-json/host/v1/health')).status).to.equal(200)
    })

    it('forms that break off are no errors of ours in the log', async () => {
      const lines: string[] = []
      const log = createLog('error', { write: (line) => lines.push(line) })
      const [began, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const readIt = async ({ req }: { req: IncomingMessage }) => {
        began.resolve()
        await readForm(req).finally(left.resolve)
      }
      const server = createServer([readIt], { trustedProxies: [], log })
      const port = await server.listen(0, '127.0.0.1')
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(`POST /wp-login.php HTTP/1.1\r\n${host}Content-Length: 100\r\n\r\nlog=`)
      })
      await began.promise
      socket.destroy()
      await left.promise
      await server.close()
      expect(lines).to.deep.equal([])
    })
  })
})
