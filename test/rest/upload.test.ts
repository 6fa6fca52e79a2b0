import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { z } from 'zod'
import { temporaryFolder } from '../support/site-folder.ts'
import { createRestSite, type RestSite } from './rest-site.ts'

describe('REST routes that take a file', () => {
  const folder = join(temporaryFolder(), 'incoming')
  let site: RestSite
  before(async () => {
    site = await createRestSite()
    site.rest.registerRoute('upload/v1', {
      method: 'POST',
      path: '/file',
      access: 'public',
      input: z.object({ title: z.string().optional(), tags: z.array(z.string()).optional() }),
      upload: { folder, maxBytes: 2000 },
      async handler({ upload, input }) {
        if (!upload) return { input, upload }
        const { name, type, size, from, path } = upload
        return { input, upload: { name, type, size, from, text: await readFile(path, 'utf8') } }
      },
    })
    site.rest.registerRoute('upload/v1', {
      method: 'POST',
      path: '/gated',
      access: 'manage_options',
      upload: { folder, maxBytes: 2000 },
      handler: () => null,
    })
  })
  after(() => site.close())
  afterEach('nothing is left of it', async () => {
    while (lying().length > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  })

  /** When something last came or went. */
  const incoming = () => statSync(folder).mtimeMs

  const lying = () => (existsSync(folder) ? readdirSync(folder) : [])

  async function send(body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}, path = 'file') {
    const url = `${site.url}/wp-json/upload/v1/${path}`
    const response = await fetch(url, { method: 'POST', body, headers, duplex: 'half' })
    return { status: response.status, body: await response.json() }
  }

  function form(fields: Record<string, string>, files: Record<string, string>): FormData {
    const data = new FormData()
    for (const [name, value] of Object.entries(fields)) data.append(name, value)
    for (const [name, text] of Object.entries(files))
      data.append(name, new Blob([text], { type: 'image/png' }), `${name}.png`)
    return data
  }

  it('get the field `file` of a form, with the other fields as parameters', async () => {
    const { body } = await send(form({ title: 'T', 'tags[]': 'a' }, { file: 'bytes' }))
    expect(body).to.deep.equal({
      input: { title: 'T', tags: ['a'] },
      upload: { name: 'file.png', type: 'image/png', size: 5, from: 'form', text: 'bytes' },
    })
  })

  it('identify a file of a form by its file name, with any Content-Type or without one', async () => {
    const parts = [
      'name="file"; filename="a.txt"\r\n\r\nbytes',
      'name="title"\r\nContent-Type: text/plain\r\n\r\nT',
      'name="other"; filename="b.txt"\r\n\r\nbytes',
    ]
    const body = `${parts.map((part) => `--x\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--x--\r\n`
    const answer = await send(body, { 'content-type': 'multipart/form-data; boundary=x' })
    expect(answer.body).to.deep.equal({
      input: { title: 'T' },
      upload: { name: 'a.txt', type: 'text/plain', size: 5, from: 'form', text: 'bytes' },
    })
  })

  it('take a form in pieces of unknown number, as node-fetch sends it, up to the limit', async () => {
    const sent = (file: string) => {
      const body = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${file}\r\n--x--\r\n`
      return send(new Blob([body]).stream(), { 'content-type': 'multipart/form-data; boundary=x' })
    }
    expect((await sent('bytes')).body).to.have.nested.property('upload.text', 'bytes')
    expect((await sent('x'.repeat(2001))).body).to.include({ code: 'rest_request_too_large' })
  })

  it('pass over files in other fields', async () => {
    const { body } = await send(form({ title: 'T' }, { other: 'bytes' }))
    expect(body).to.deep.equal({ input: { title: 'T' }, upload: null })
  })

  it('get a body that is the file, whatever its type, with the parameters in the query', async () => {
    const { body } = await send(
      '{"a":1}',
      { 'content-type': 'application/json', 'content-disposition': 'attachment' },
      'file?title=T',
    )
    expect(body).to.deep.equal({
      input: { title: 'T' },
      upload: { name: '', type: 'application/json', size: 7, from: 'body', text: '{"a":1}' },
    })
  })

  it('read parameters where there is no file', async () => {
    const { body } = await send('{"title":"T"}', { 'content-type': 'application/json' })
    expect(body).to.deep.equal({ input: { title: 'T' }, upload: null })
  })

  it('refuse a file above the limit: announced, in a form, or in pieces of unknown number', async () => {
    const large = 'x'.repeat(2001)
    const pieces = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('x'.repeat(500)))
        if (++sent === 20) controller.close()
      },
    })
    let sent = 0
    for (const body of [large, form({}, { file: large }), pieces]) {
      const headers = body instanceof FormData ? {} : { 'content-type': 'image/png' }
      const answer = await send(body, headers)
      expect(answer.status).to.equal(413)
      expect(answer.body).to.include({ code: 'rest_request_too_large' })
    }
  })

  it('say so in OpenAPI, and are no part of a batch', async () => {
    const paths = JSON.parse(JSON.stringify(site.openApi().paths))
    const { content } = paths['/upload/v1/file'].post.requestBody
    expect(Object.keys(content)).to.deep.equal(['multipart/form-data', 'application/octet-stream'])
    expect(Object.keys(content['multipart/form-data'].schema.properties)).to.deep.equal(['file', 'title', 'tags'])
    const answer = await fetch(`${site.url}/wp-json/batch/v1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ requests: [{ path: '/upload/v1/file' }] }),
    })
    expect(await answer.text()).to.include('rest_batch_not_allowed')
  })

  it('read no body from users without permission', async () => {
    expect((await send('x', { 'content-type': 'image/png' }, 'gated')).status).to.equal(401)
    expect(lying()).to.deep.equal([])
  })

  it('keep nothing of a client that leaves in the middle', async () => {
    const socket = connect(Number(new URL(site.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      'POST /wp-json/upload/v1/file HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\nContent-Length: 1000\r\n\r\nhalf',
    )
    while (lying().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    socket.destroy()
  })

  it('keep nothing of a form that breaks off at once', async () => {
    const socket = connect(Number(new URL(site.url).port), '127.0.0.1')
    await once(socket, 'connect')
    const before = incoming()
    const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="w.jpg"\r\n\r\n'
    const type = 'Content-Type: multipart/form-data; boundary=x'
    // More comes than was announced, so the connection ends before anybody reads the form.
    socket.write(
      `POST /wp-json/upload/v1/file HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: 300\r\n\r\n${part}${'a'.repeat(2000)}`,
    )
    socket.resume()
    await once(socket, 'close')
    while (incoming() === before) await new Promise((resolve) => setTimeout(resolve, 5))
  })
})
