import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Answer, type Gazette, openGazette, toObject } from './gazette.ts'

const RECORDED_URL = 'http://127.0.0.1:8090'

interface Recording {
  readonly path: string
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  /** JSON as PHP writes it; long ones are cut. */
  readonly body: string
}

/** Reads `rest-golden.md`: answers of a real WordPress, by their headline. */
function readRecordings(): Map<string, Recording> {
  const text = readFileSync(join(import.meta.dirname, '../fixtures/rest-golden.md'), 'utf8')
  const recordings = new Map<string, Recording>()
  for (const section of text.split('\n### ').slice(1)) {
    const [name = '', , curl = '', http = '', ...rest] = section.split('\n')
    const blank = rest.indexOf('')
    const headers = rest.slice(0, blank).map((line) => line.split(/: (.*)/s))
    recordings.set(name, {
      path: /\/wp-json(\S*)/.exec(curl)?.[1] ?? '',
      status: Number(http.split(' ')[1]),
      headers: new Map(headers.map(([key = '', value = '']) => [key.toLowerCase(), value])),
      body: rest.slice(blank + 1).find((line) => line !== '') ?? '',
    })
  }
  return recordings
}

describe('wp/v2, compared with responses recorded from WordPress', () => {
  const recordings = readRecordings()
  let site: Gazette
  let admin: string
  before(async () => {
    site = await openGazette()
    admin = await site.signIn('admin', 'administrator')
  })
  after(() => site.close())

  function recorded(name: string): Recording {
    const recording = recordings.get(name)
    if (!recording) throw new Error(`there is no recording "${name}"`)
    return recording
  }

  const atRecordedUrl = (text: string) => text.replaceAll(site.url, RECORDED_URL)

  /** As PHP's `json_encode` writes it. */
  const asPhp = (answer: Answer) =>
    atRecordedUrl(JSON.stringify(answer.body))
      .replaceAll('/', '\\/')
      .replace(/[^\x20-\x7e]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

  const whole = [
    'pagination',
    'page past the last',
    'per_page 0',
    'per_page 101',
    'per_page text',
    'one post',
    'post that does not exist',
    'draft as anonymous',
    'context=edit as anonymous',
    'category',
    'users/me anonymous',
    '_fields',
    'media item',
  ]
  for (const name of whole) {
    it(`answers the same: ${name}`, async () => {
      const { path, status, headers, body } = recorded(name)
      const answer = await site.get(path)
      expect(answer.status).to.equal(status)
      expect(asPhp(answer).slice(0, body.length)).to.equal(body)
      for (const header of ['x-wp-total', 'x-wp-totalpages', 'link']) {
        expect(atRecordedUrl(answer.headers.get(header) ?? ''), header).to.equal(headers.get(header) ?? '')
      }
    })
  }

  it('embeds authors, comments and terms in the same places', async () => {
    const { path, body } = recorded('one post, embedded')
    const answer = await site.get(path)
    // The export leaves out users' URLs and counts comments anew, and our pictures do not tell the e-mail address.
    const before = body.indexOf(',"_embedded"')
    expect(asPhp(answer).slice(0, before)).to.equal(body.slice(0, before))
    const embedded = toObject(answer.items[0]?._embedded)
    expect(Object.keys(embedded)).to.deep.equal(['author', 'replies', 'wp:term'])
    const names = (text: string) => [...text.matchAll(/"(\w+)":/g)].map((match) => match[1])
    const shown = names(body.slice(before)).filter((name) => !/^\d+$/.test(name ?? ''))
    expect(
      names(asPhp(answer))
        .filter((name) => !/^\d+$/.test(name ?? ''))
        .join(),
    ).to.contain(shown.join())
  })

  it('shows users to strangers in the same shape, but no hash of their address', async () => {
    const { path, body, headers } = recorded('users as anonymous')
    const answer = await site.get(path)
    const { avatar_urls: pictures, url: _, ...ours } = toObject(JSON.parse(atRecordedUrl(answer.text))[0])
    const { avatar_urls: theirPictures, url: __, ...theirs } = toObject(JSON.parse(body)[0])
    expect(ours).to.deep.equal(theirs)
    expect(Object.keys(answer.items[0] ?? {})).to.deep.equal(Object.keys(toObject(JSON.parse(body)[0])))
    expect(Object.keys(toObject(pictures))).to.deep.equal(Object.keys(toObject(theirPictures)))
    expect(JSON.stringify(pictures)).not.to.contain('96614ec98aa0c0d2ee75796dced6df54')
    expect(answer.headers.get('x-wp-total')).to.equal(headers.get('x-wp-total'))
  })

  it('finds as many posts, each in the same shape', async () => {
    const { path, headers, body } = recorded('search')
    const answer = await site.get(path)
    expect(answer.headers.get('x-wp-total')).to.equal(headers.get('x-wp-total'))
    expect(answer.headers.get('x-wp-totalpages')).to.equal(headers.get('x-wp-totalpages'))
    const first = answer.items.find((item) => item.id === 50)
    const recordedFirst = body.slice(1, body.indexOf(',{"id":40'))
    expect(atRecordedUrl(JSON.stringify(first))).to.equal(JSON.stringify(JSON.parse(recordedFirst)))
  })

  it('returns the current user for an administrator', async () => {
    const { path, body } = recorded('users/me')
    const answer = await site.get(path, admin)
    const upTo = body.indexOf('"capabilities"')
    expect(asPhp(answer).slice(0, upTo)).to.equal(body.slice(0, upTo))
    const recordedNames = [...body.slice(upTo).matchAll(/"(\w+)":true/g)].map((match) => match[1])
    expect(Object.keys(toObject(answer.item.capabilities))).to.include.members(recordedNames)
  })

  it('answers the settings under the same names, in the same order', async () => {
    const { path, body } = recorded('settings')
    const answer = await site.get(path, admin)
    expect(answer.status).to.equal(200)
    const { email: _, url, timezone: __, blog_public: isPublic, ...shown } = answer.item
    const { permalink_structure: structure, category_base: base, tag_base: tagBase, ...ours } = shown
    expect([structure, base, tagBase]).to.deep.equal(['/%postname%/', '', ''])
    // Ours alone, behind WordPress's.
    expect(isPublic).to.equal(true)
    expect(Object.keys(answer.item)).to.deep.equal([
      ...Object.keys(JSON.parse(body)),
      ...['permalink_structure', 'category_base', 'tag_base', 'blog_public'],
    ])
    const { email: ___, url: ____, timezone: _____, ...theirs } = toObject(JSON.parse(body))
    expect(url).to.equal(site.url)
    expect(ours).to.deep.equal(theirs)
  })

  it('answers HEAD with the headers of GET, and an envelope with all of them in the body', async () => {
    const head = recorded('HEAD')
    const answer = await fetch(`${site.url}/wp-json${head.path}`, { method: 'HEAD' })
    expect([answer.status, await answer.text()]).to.deep.equal([200, ''])
    for (const [name, value] of head.headers) {
      const own = atRecordedUrl(answer.headers.get(name) ?? '')
      expect(own, name).to.equal(value)
    }
    const { path, body } = recorded('_envelope')
    expect(asPhp(await site.get(path))).to.equal(body)
  })

  it('lets any origin read, but sends credentials to known ones only', async () => {
    const { path, headers, body } = recorded('CORS, foreign origin')
    const answer = await fetch(`${site.url}/wp-json${path}`, { headers: { Origin: 'https://elsewhere.example' } })
    expect(await answer.text()).to.equal(body)
    for (const [name, value] of headers) {
      const expected = name === 'access-control-allow-credentials' ? '' : value
      expect(atRecordedUrl(answer.headers.get(name) ?? ''), name).to.equal(expected)
    }
  })

  for (const name of ['application passwords', 'application password, introspect']) {
    it(`shows the same of ${name}`, async () => {
      const { path, status, headers, body } = recorded(name)
      const answer = await site.get(path, admin)
      expect([answer.status, answer.headers.get('allow')]).to.deep.equal([status, headers.get('allow')])
      const first = (value: unknown) => toObject(Array.isArray(value) ? value[0] : value)
      const [ours, theirs] = [first(answer.body), first(JSON.parse(body))]
      expect(Object.keys(ours)).to.deep.equal(Object.keys(theirs))
      const shape = (record: object) =>
        atRecordedUrl(JSON.stringify(record))
          .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'UUID')
          .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/g, 'TIME')
          .replace(/"name":"[^"]*"/, '"name":"NAME"')
      expect(shape(ours)).to.equal(shape(theirs))
    })
  }
})
