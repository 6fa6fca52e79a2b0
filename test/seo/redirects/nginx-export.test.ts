import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { createFrontServer, type FrontServer } from '../../speed/front-server.ts'
import { freePort } from '../../support/free-port.ts'
import { openSender } from '../../support/send.ts'
import { openSeoSite } from '../seo-site.ts'
import { call } from './redirects-site.ts'

const RULES = [
  { source: '/plain', target: '/new/', note: 'x"; } evil\n{' },
  { source: '/wörter/mit leer', target: 'https://bücher.example/ä?q=1#c' },
  { source: '/index.php?p=7&a=b', target: '/seven', query: 'exact' },
  { source: '/part?p=7', target: '/part-seven' },
  { source: '/pass', target: '/z?own=1', query: 'pass', status: 302 },
  { source: '/blog/*', target: '/news/*', match: 'wildcard', status: 307 },
  { source: '/UPPER', target: '/Up$1{x}', caseSensitive: true },
  { source: '^/contact-us(/.*)?$', target: '/contact$1', match: 'regex', status: 308 },
  { source: '^/item\\.php\\?id=(\\d{1,3})$', target: '/item/$1', match: 'regex', query: 'exact' },
  { source: '/gone', target: '', status: 410 },
  { source: '/off', target: '/x', enabled: false },
  { source: '/q"uo\'te;', target: '/x' },
]

describe('Redirects in nginx, as they are exported', () => {
  let site: TestHost
  let nginx: FrontServer

  before(async () => {
    site = await openSeoSite()
    await call(site, 'POST', '/redirects/import', { rules: RULES })
    const answer = await site.get('/wp-json/seo/v1/redirects/export?format=nginx', { as: 'administrator' })
    const folder = mkdtempSync(join(tmpdir(), 'pentad-nginx-'))
    const port = await freePort()
    mkdirSync(join(folder, 'temporary'))
    writeFileSync(join(folder, 'rules.conf'), await answer.text())
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const paths = kinds.map((kind) => `${kind}_temp_path ${join(folder, 'temporary', kind)};`).join(' ')
    const file = join(folder, 'nginx.conf')
    writeFileSync(
      file,
      `daemon off; worker_processes 1; ${process.getuid?.() === 0 ? 'user root;' : ''}
      pid ${join(folder, 'nginx.pid')};
      events {}
      http { access_log off; ${paths}
        server { listen 127.0.0.1:${port}; include ${join(folder, 'rules.conf')}; location / { return 404; } }
      }`,
    )
    nginx = createFrontServer({ folder, port, command: ['nginx', '-e', join(folder, 'error.log'), '-c', file] })
    await nginx.start()
  })
  after(async () => {
    await nginx.remove()
    await site.close()
  })

  for (const [path, expected] of [
    ['/plain', '301 /new/'],
    ['/PLAIN/?x=1', '301 /new/'],
    ['/w%C3%B6rter/mit%20leer', '301 https://xn--bcher-kva.example/%C3%A4?q=1#c'],
    ['/index.php?p=7&a=b', '301 /seven'],
    ['/index.php?p=7', '404'],
    ['/part?x=1&p=7', '301 /part-seven'],
    ['/part?p=77', '404'],
    ['/pass?a=1', '302 /z?own=1&a=1'],
    ['/blog/x/y', '307 /news/x/y'],
    ['/UPPER', '301 /Up$1%7Bx%7D'],
    ['/upper', '404'],
    ['/contact-us', '308 /contact'],
    ['/contact-us/a%0d%0aX:y', '404'],
    ['/item.php?id=12', '301 /item/12'],
    ['/gone', '410'],
    ['/off', '404'],
    ["/q%22uo'te;", '301 /x'],
  ] as const) {
    it(`answers ${path} with ${expected}`, async () => {
      const sender = openSender(nginx.url)
      const { status, headers } = await sender.send({ path })
      sender.close()
      const location = String(headers.location ?? '').replace(nginx.url, '')
      expect(`${status} ${location}`.trim()).to.equal(expected.replace('$1', '%241'))
    })
  }
})
