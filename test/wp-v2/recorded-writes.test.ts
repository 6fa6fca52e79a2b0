import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Gazette, openGazette, toObject } from './gazette.ts'

interface Recording {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
  readonly status: number
  /** The line as it was written; the recording cuts long ones at their end. */
  readonly line: string
  readonly answer: Readonly<Record<string, unknown>>
}

/** What was sent to a real WordPress and what it answered; see `rest-golden.md`. */
function recorded(name: string): Recording {
  const text = readFileSync(join(import.meta.dirname, '../fixtures/rest-golden.md'), 'utf8')
  const section = text.split('\n### ').find((one) => one.startsWith(`${name}\n`)) ?? ''
  const [, , curl = '', http = ''] = section.split('\n')
  return {
    method: /-X (\w+)/.exec(curl)?.[1] ?? 'GET',
    path: /\/wp-json(\S*)/.exec(curl)?.[1] ?? '',
    body: / -d (\{.*\}) \/wp-json/.exec(curl)?.[1],
    status: Number(http.split(' ')[1]),
    line: /\n(\{.*)\n/.exec(section)?.[1] ?? '',
    get answer() {
      return toObject(JSON.parse(this.line))
    },
  }
}

describe('writing to wp/v2 beside the answers recorded from WordPress', () => {
  let site: Gazette
  let admin: string
  before(async () => {
    site = await openGazette()
    admin = await site.signIn('admin', 'administrator')
  })
  after(() => site.close())

  async function repeat({ method, path, body }: Recording) {
    const response = await fetch(`${site.url}/wp-json${path}`, {
      method,
      headers: { authorization: admin, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    })
    const text = (await response.text()).replaceAll(site.url, 'http://127.0.0.1:8090')
    return { status: response.status, headers: response.headers, line: text, answer: toObject(JSON.parse(text)) }
  }

  for (const name of ['create a category that exists', 'delete a category without force']) {
    it(`answers the same: ${name}`, async () => {
      const recording = recorded(name)
      const { status, answer } = await repeat(recording)
      expect(status).to.equal(recording.status)
      // WordPress repeats the id of the term in `additional_data`, which no client reads.
      const { additional_data: _, ...expected } = recording.answer
      expect(answer).to.deep.equal(expected)
    })
  }

  it('answers the same: create a post', async () => {
    const recording = recorded('create a post')
    const { status, headers, line, answer } = await repeat(recording)
    expect(status).to.equal(recording.status)
    const normal = (text: string, id: unknown) =>
      text
        .replaceAll('\\/', '/')
        .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/g, 'TIME')
        .replaceAll(new RegExp(`(["=/:])${id}(?![\\d.])`, 'g'), '$1ID')
    // The recording is cut at its end.
    const told = normal(recording.line, 70).slice(0, -20)
    expect(told.length).to.be.greaterThan(500)
    expect(normal(line, answer.id).slice(0, told.length)).to.equal(told)
    expect(headers.get('allow')).to.equal('GET, POST')
  })

  it('answers the same to a batch that makes one tag and fails to make another', async () => {
    const recording = recorded('batch')
    const { status, answer } = await repeat(recording)
    expect(status).to.equal(recording.status)
    // WordPress does not have this header of caches (RFC 9875).
    const known = (key: string, value: unknown) => (key === 'Cache-Group-Invalidation' ? undefined : value)
    const withoutIds = (value: unknown) => JSON.stringify(value, known).replace(/(tags[/=]|"id":)\d+/g, '$1#')
    expect(withoutIds(answer)).to.equal(withoutIds(recording.answer))
  })
})
