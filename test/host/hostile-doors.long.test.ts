import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import sharp from 'sharp'
import { LICENSED } from '../seo/license.ts'
import { sendQuickly, slowness } from './event-loop.ts'
import { HOSTILE_TEXTS } from './hostile-texts.ts'

/** Those of the hostile texts at which one of the readers below was slow, or could be. */
const KINDS = [
  ...['blanks in a text', 'lines', 'empty lines', 'one long word', 'words without blanks between', 'combining marks'],
  ...['nested blocks', 'attributes that never end', 'half comments', 'entities', 'half entities', 'quotes', 'brackets'],
  ...['percent signs', 'an address with a long end', 'backslashes'],
]
const [SHORT, LONG, FILE, LARGE] = [1500, 60_000, 200_000, 850_000]
const DEEP = 120_000

describe('Hostile texts at every door', () => {
  let site: TestHost
  let authorization: string
  let jpeg: Buffer
  before(async () => {
    for (let run = 0; run < 5; run++) slowness()
    site = await createTestHost({ services: true, config: { logLevel: 'silent', ...LICENSED } })
    const { users, applicationPasswords } = site.host.auth
    const user = await users.create({ login: 'owner', email: 'owner@example.org', roles: ['administrator'] })
    authorization = `Basic ${btoa(`owner:${(await applicationPasswords.create(user.id, 'test')).password}`)}`
    jpeg = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer()
  })
  after(() => site.close())

  async function send(path: string, init: RequestInit, asVisitor = false): Promise<void> {
    const name = `${init.method ?? 'GET'} ${path.slice(0, 60)}`
    const headers = { ...(asVisitor ? { Origin: site.url } : { Authorization: authorization }), ...init.headers }
    const ask = () => fetch(new URL(path, site.url), { redirect: 'manual', ...init, headers })
    const { status, body } = await sendQuickly(name, ask)
    expect(status, `${name}: ${body.slice(0, 200)}`).to.be.below(500)
  }
  const post = (path: string, body: unknown, asVisitor?: boolean, method = 'POST') =>
    send(`/wp-json${path}`, { method, headers: JSON_TYPE, body: JSON.stringify(body) }, asVisitor)
  const upload = (name: string, type: string, body: Buffer | string) => {
    const headers = { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` }
    return send('/wp-json/wp/v2/media', { method: 'POST', headers, body: new Blob([body]) })
  }

  const doors: Readonly<Record<string, (make: (length: number) => string) => Promise<void>>> = {
    async 'redirects as a file'(make) {
      const path = '/seo/v1/redirects/import'
      await post(path, { csv: `source,target\n${make(FILE)}` })
      await post(path, { csv: `RewriteRule ${make(FILE)}`, format: 'htaccess' })
      await post(path, { csv: `rewrite ${make(FILE)}`, format: 'nginx' })
    },
    async 'a drawing'(make) {
      const drawing = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`
      const [style, path] = [make(LARGE), make(LARGE).replaceAll(/[<"&]/g, 'x')]
      await upload('a.svg', 'image/svg+xml', drawing(`<title>${make(LARGE)}</title>`))
      await upload('a.svg', 'image/svg+xml', drawing(`<style><![CDATA[${style}]]></style><path d="${path}"/>`))
    },
    async 'a picture and its name'(make) {
      const block = (marker: number, head: string) => segment(marker, Buffer.from(head + make(LONG)))
      const blocks = [
        block(0xe1, 'http://ns.adobe.com/xap/1.0/\0'),
        block(0xe1, 'Exif\0\0II*\0'),
        block(0xed, 'Photoshop 3.0\0'),
        block(0xfe, ''),
      ]
      const picture = Buffer.concat([jpeg.subarray(0, 2), ...blocks, jpeg.subarray(2)])
      await upload(`${encodeURIComponent(make(SHORT).toWellFormed()).slice(0, 6000)}.jpg`, 'image/jpeg', picture)
    },
    async 'helpdesk, web vitals and push'(make) {
      const [short, long] = [make(SHORT), make(LONG)]
      await post('/ai/v1/helpdesk-agent/ai-response', { message: long, pageUrl: short }, true)
      await post('/ai/v1/helpdesk-agent/contact', { name: short, email: short, message: short }, true)
      await post('/ai/v1/generate-title', { content: make(LARGE), title: short })
      await post('/speed/v1/web-vitals/report', { token: long, url: short, metrics: [{ name: 'LCP', value: 1 }] }, true)
      await post('/pwa/v1/push-subscription/add', { endpoint: `https://a.example/${short}`, authKey: short }, true)
      const notificationData = { notificationTitle: make(200), notificationMessage: make(5000), notificationUrl: short }
      await post('/pwa/v1/push-subscribers/send', { notificationData })
    },
    async settings(make) {
      await post('/seo/v1/settings', { settings: { robotsTxt: make(LONG), titleSeparator: make(LONG) } }, false, 'PUT')
      await post('/speed/v1/settings', { settings: { bypassPaths: [make(SHORT)] } }, false, 'PUT')
      await post('/wp/v2/settings', { title: make(LONG), description: make(LONG) })
      await post('/wp/v2/settings', { title: 'A site', description: '' })
      for (const path of ['/robots.txt', '/llms.txt']) await send(path, {}, true)
    },
    async 'queries, batches and forms'(make) {
      const query = encodeURIComponent(make(SHORT).toWellFormed()).slice(0, 6000)
      for (const name of ['search', '_fields', '_embed', 'slug'])
        await send(`/wp-json/wp/v2/posts?${name}=${query}`, {})
      const requests = [{ method: 'POST', path: '/wp/v2/tags', body: { name: make(LONG), description: make(LONG) } }]
      await post('/batch/v1', { requests })
      await send('/wp-json/wp/v2/posts', { method: 'POST', headers: FORM_TYPE, body: make(LARGE) })
      await send('/wp-comments-post.php', { method: 'POST', headers: FORM_TYPE, body: make(LONG) }, true)
    },
  }

  for (const [door, enter] of Object.entries(doors)) {
    it(door, async () => {
      for (const kind of KINDS) {
        const make = HOSTILE_TEXTS[kind]
        if (!make) throw new Error(`There is no text of ${kind}.`)
        await enter(make)
      }
    })
  }

  it('many long patterns of redirects', async () => {
    const lines = Array.from({ length: 200 }, (_, at) => `^/${at}${'[a-z]'.repeat(380)},/target-${at},regex`)
    await post('/seo/v1/redirects/import', { csv: `source,target,match\n${lines.join('\n')}` })
  })

  it('JSON that is deep, wide or long', async () => {
    const values = [
      ...['['.repeat(DEEP) + ']'.repeat(DEEP), `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`, '1'.repeat(LARGE)],
      ...[`{${Array.from({ length: DEEP / 2 }, (_, at) => `"k${at}":1`).join()}}`, `[${'1,'.repeat(DEEP)}1]`],
    ]
    for (const value of values) {
      for (const body of [
        value,
        `{"title":"x","meta":${value},"tags":${value},"requests":${value},"settings":${value}}`,
      ]) {
        for (const path of ['/wp/v2/posts', '/wp/v2/settings', '/batch/v1', '/seo/v1/redirects/import']) {
          await send(`/wp-json${path}`, { method: 'POST', headers: JSON_TYPE, body: body.slice(0, 1_000_000) })
        }
      }
    }
  })
})

const JSON_TYPE = { 'Content-Type': 'application/json' }
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** A part of a JPEG file, as much of it as one may hold. */
function segment(marker: number, data: Buffer): Buffer {
  const content = data.subarray(0, 65_000)
  const head = Buffer.alloc(4)
  head.writeUInt16BE(0xff00 | marker)
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}
