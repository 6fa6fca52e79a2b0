import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import type { Received, Sent } from '../support/send.ts'
import { CALLERS, type Caller, type HostileSite, openHostileSite, STRANGERS } from './hostile-site.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }
const MULTIPART = { 'Content-Type': 'multipart/form-data; boundary=x' }
const MEBIBYTE = 1024 * 1024

const part = (head: string, text: string) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`

/** Bodies that are none, or too much of one. */
const BODIES: Readonly<Record<string, Omit<Sent, 'path'>>> = {
  'JSON that breaks off': { headers: JSON_TYPE, body: '{"settings":{"a":' },
  'JSON with a comma too many': { headers: JSON_TYPE, body: '{"a":1,}' },
  'bytes for JSON': { headers: JSON_TYPE, body: Buffer.from([0xff, 0xfe, 0x00, 0x80]) },
  'JSON in UTF-16': { headers: JSON_TYPE, body: Buffer.from('\ufeff{"a":1}', 'utf16le') },
  'JSON with a mark of its encoding': { headers: JSON_TYPE, body: '\ufeff{"nobody":1}' },
  'JSON with bad UTF-8': { headers: JSON_TYPE, body: Buffer.from('{"name":"\xff\xc0\xaf"}', 'latin1') },
  'a JSON list': { headers: JSON_TYPE, body: '[1,2,3]' },
  'a JSON text': { headers: JSON_TYPE, body: '"settings"' },
  'a JSON number': { headers: JSON_TYPE, body: '1e309' },
  'JSON null': { headers: JSON_TYPE, body: 'null' },
  'lists 10,000 deep': { headers: JSON_TYPE, body: `${'['.repeat(10_000)}${']'.repeat(10_000)}` },
  'objects 10,000 deep': { headers: JSON_TYPE, body: `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}` },
  'lists 10,000 deep in a parameter': {
    headers: JSON_TYPE,
    body: `{"settings":${'['.repeat(10_000)}${']'.repeat(10_000)},"requests":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
  },
  'the same key 20,000 times': { headers: JSON_TYPE, body: `{${Array(20_000).fill('"a":1').join()}}`.slice(0, 60_000) },
  '5,000 different keys': {
    headers: JSON_TYPE,
    body: JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`k${at}`, at]))),
  },
  'prototypes as keys': {
    headers: JSON_TYPE,
    body: '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"settings":{"__proto__":{"polluted":1}}}',
  },
  'a form under the name of JSON': { headers: JSON_TYPE, body: 'settings[a]=1' },
  'JSON under the name of a form': {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: '{"a":1}',
  },
  'prototypes in a form': {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'a[__proto__][polluted]=1&__proto__[polluted]=1&constructor[prototype][polluted]=1',
  },
  'a form 10,000 deep': {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `a${'[b]'.repeat(10_000)}=1`,
  },
  'a form of 20,000 empty names': {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: '=&'.repeat(20_000),
  },
  'a form with broken escapes': {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: '%=%&%zz=%E0%A4%A&a=%00',
  },
  'plain text': { headers: { 'Content-Type': 'text/plain' }, body: 'hello' },
  'JSON as text': { headers: { 'Content-Type': 'text/plain' }, body: '{"__proto__":{"polluted":1}}' },
  XML: {
    headers: { 'Content-Type': 'text/xml' },
    body: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
  },
  'no type': { body: '{"a":1}' },
  'a nonsense type': { headers: { 'Content-Type': ';;;/=' }, body: '{"a":1}' },
  'an unknown character set': { headers: { 'Content-Type': 'application/json; charset=nothing' }, body: '{"a":1}' },
  'a form with files': {
    headers: MULTIPART,
    body: `${part('name="a"; filename="../../x.php"', '<?php')}${part('name="__proto__[polluted]"', '1')}--x--\r\n`,
  },
  'a form with files that breaks off': { headers: MULTIPART, body: part('name="a"', '1').slice(0, -10) },
  'a form with files without a boundary': { headers: { 'Content-Type': 'multipart/form-data' }, body: 'x' },
  'a form with files of nothing': { headers: MULTIPART, body: '--x--\r\n' },
  'a form with files and 500 fields': {
    headers: MULTIPART,
    body: `${Array.from({ length: 500 }, (_, at) => part(`name="f${at}"`, 'v')).join('')}--x--\r\n`,
  },
  'more than is taken': { headers: JSON_TYPE, body: `{"a":"${'x'.repeat(2 * MEBIBYTE)}"}` },
  'a form of more than is taken': {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `a=${'x'.repeat(2 * MEBIBYTE)}`,
  },
  'files of more than is taken': { headers: MULTIPART, body: `${part('name="a"', 'x'.repeat(2 * MEBIBYTE))}--x--\r\n` },
  'a gzip bomb': {
    headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' },
    body: gzipSync(Buffer.alloc(64 * MEBIBYTE, ' ')),
  },
  'gzip that is none': { headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, body: '{"a":1}' },
  'an encoding nobody knows': { headers: { ...JSON_TYPE, 'Content-Encoding': 'nothing' }, body: '{"a":1}' },
}

describe('bad bodies on every route that writes', () => {
  let site: HostileSite
  let alive: readonly string[]
  before(async () => {
    site = await openHostileSite()
    alive = await site.vitalSigns()
    expect(alive).to.include.members(['a new post: 200, true', 'its page: 200, true'])
  })
  after(() => site.close())

  /** A server that closes in the middle of a body that is too large may be quicker than the one who sends it. */
  async function send(caller: Caller, sent: Sent): Promise<Received | undefined> {
    return site.send(caller, sent).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || error.code === 'ECONNRESET') return undefined
      throw error
    })
  }

  /** To each route that writes as one of all callers, by turns: over all bodies everybody comes to every route. */
  async function sendAs(callers: readonly Caller[], turn: number, body: Omit<Sent, 'path'>): Promise<void> {
    const writing = site.endpoints.filter(({ method }) => method !== 'GET')
    for (const [at, { method, path }] of writing.entries()) {
      const caller = CALLERS[(at + turn) % CALLERS.length] ?? 'visitor'
      if (!callers.includes(caller)) continue
      const answer = await send(caller, { method, path: `/wp-json${site.fill(path)}`, ...body })
      expect(answer && site.complaint(answer), `${caller} ${method} ${path}`).to.equal(undefined)
    }
    expect('polluted' in {}).to.equal(false)
  }

  for (const [turn, [name, body]] of Object.entries(BODIES).entries()) {
    it(`${name}: changes nothing for strangers, and breaks nothing for an administrator`, async () => {
      const plain = await site.plainAnswers()
      await sendAs(STRANGERS, turn, body)
      expect(await site.plainAnswers()).to.deep.equal(plain)
      await sendAs(['administrator'], turn, body)
      expect(await site.vitalSigns()).to.deep.equal(alive)
    })
  }

  const asked = async (body: Omit<Sent, 'path'>, path = '/wp-json/host/v1/settings/host', method = 'PUT') => {
    const answer = await site.send('administrator', { method, path, ...body })
    return `${answer.status} ${String(JSON.parse(answer.text).code ?? '')}`
  }

  it('are refused for what they are', async () => {
    const refusal = (name: string) => asked(BODIES[name] ?? {})
    expect(await refusal('JSON that breaks off')).to.equal('400 rest_invalid_json')
    expect(await refusal('objects 10,000 deep')).to.equal('400 rest_invalid_json')
    expect(await refusal('prototypes as keys')).to.equal('400 rest_invalid_param')
    expect(await refusal('prototypes in a form')).to.equal('400 rest_invalid_param')
    expect(await refusal('a gzip bomb')).to.equal('413 rest_request_too_large')
    expect(await refusal('an encoding nobody knows')).to.equal('415 rest_unsupported_encoding')
    expect(await refusal('no type')).to.equal('400 rest_missing_callback_param')
  })

  it('are not even read where the caller may not write', async () => {
    const { status } = await site.send('subscriber', {
      method: 'PUT',
      path: '/wp-json/host/v1/settings/host',
      headers: JSON_TYPE,
      body: '{bad',
    })
    expect(status).to.equal(403)
  })

  it('in a batch are refused one by one', async () => {
    const paths = ['/wp/v2/posts/../../x', '//', '/%', '/wp/v2/posts?a[__proto__][x]=1', '/host/v1/license', 'x']
    const requests = paths.flatMap((path) =>
      ['POST', 'PUT', 'DELETE'].map((method) => ({ method, path, body: { key: {} } })),
    )
    for (const validation of ['normal', 'require-all-validate']) {
      for (const caller of CALLERS) {
        const body = JSON.stringify({ validation, requests })
        const answer = await site.send(caller, { method: 'POST', path: '/wp-json/batch/v1', headers: JSON_TYPE, body })
        expect(answer.status).to.equal(207)
        expect(answer.text).not.to.match(/"status":5\d\d/)
      }
    }
    const tooMany = JSON.stringify({ requests: Array(26).fill({ path: '/wp/v2/posts' }) })
    expect(await asked({ headers: JSON_TYPE, body: tooMany }, '/wp-json/batch/v1', 'POST')).to.equal(
      '400 rest_invalid_param',
    )
    const nested = JSON.stringify({ requests: [{ path: '/batch/v1', body: { requests: [] } }] })
    const answer = await site.send('administrator', {
      method: 'POST',
      path: '/wp-json/batch/v1',
      headers: JSON_TYPE,
      body: nested,
    })
    expect(answer.text).to.contain('rest_batch_not_allowed')
  })
})
