import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { pack } from 'tar-stream'
import { markUntrustedCode } from '../../cms/untrusted-code.ts'
import { type Cluster, PASSWORD, startCluster } from '../support/cluster.ts'
import { pentad } from '../support/pentad.ts'
import { postgresBinaries } from '../support/postgres.ts'
import { logIn } from '../support/session.ts'
import { until } from '../support/until.ts'

/** An extension whose route returns a word, read from a file of its own. */
const extension = (version: string) => `import { readFileSync } from 'node:fs'
import { defineExtension } from 'pentad'
import { WORD } from './word.ts'
export default defineExtension({
  id: 'greeter', name: 'Greeter', version: '${version}', description: 'Greets.',
  setup({ rest }) {
    rest.registerRoute('greeter/v1', { method: 'GET', path: '/word', access: 'public', handler: () => WORD })
  },
})
`

const filesOf = (version: string, word: string) => ({
  'index.ts': extension(version),
  'word.ts': `export const WORD = '${word}'\n`,
})

async function tarball(folder: string, files: Readonly<Record<string, string>>): Promise<Buffer> {
  const archive = pack()
  for (const [name, content] of Object.entries(files)) archive.entry({ name: `${folder}/${name}` }, content)
  archive.finalize()
  return gzipSync(await buffer(archive))
}

describe('Extensions and themes of two nodes with separate folders', () => {
  let cluster: Cluster

  before(async function () {
    if (!postgresBinaries && process.env.CI !== 'true') this.skip()
    cluster = await startCluster()
  })
  after(() => cluster?.end())

  const folderOf = (node: number, ...path: string[]) => join(cluster.folders[node] ?? '', ...path)

  function write(node: number, folder: string, files: Readonly<Record<string, string>>): void {
    mkdirSync(folderOf(node, folder), { recursive: true })
    for (const [name, content] of Object.entries(files)) writeFileSync(folderOf(node, folder, name), content)
  }

  async function word(node: number): Promise<string> {
    const { status, body } = await cluster.send(node, 'GET', '/wp-json/greeter/v1/word')
    return status === 200 ? JSON.parse(body) : String(status)
  }
  const bothSay = (expected: string) =>
    until(async () => `${await word(0)} ${await word(1)}` === `${expected} ${expected}`)

  /** Sends an archive in a form, as an administrator who has just entered the password. */
  async function upload(node: number, path: string, name: string, content: Buffer) {
    const session = await logIn(cluster.urlOf(node), 'admin', PASSWORD)
    const form = new FormData()
    form.set('file', new Blob([content]), name)
    const sent = new Response(form)
    const headers = { ...session, 'content-type': sent.headers.get('content-type') ?? '' }
    const body = new Uint8Array(await sent.arrayBuffer())
    return cluster.send(node, 'POST', `/wp-json/host/v1/${path}`, { body, headers })
  }

  async function ready(node: number): Promise<{ status: number; extensions: string | null | undefined }> {
    const { status, body } = await cluster.send(node, 'GET', '/wp-json/host/v1/ready', { asAdmin: true })
    const { checks } = JSON.parse(body).data
    return { status, extensions: checks.find(({ name }: { name: string }) => name === 'extensions').reason }
  }

  it('that a command activates on one run on both', async () => {
    write(0, 'extensions/greeter', filesOf('1.0.0', 'one'))
    const { code, errors } = await pentad(folderOf(0), ['extension', 'activate', 'greeter'])
    expect(code, errors).to.equal(0)
    await bothSay('one')
    expect(readFileSync(folderOf(1, 'extensions/greeter/word.ts'), 'utf8')).to.include('one')
  })

  it('that are changed on one and reloaded are reloaded on both', async () => {
    write(1, 'extensions/greeter', filesOf('1.1.0', 'two'))
    const answer = await cluster.send(1, 'POST', '/wp-json/host/v1/extensions/greeter/reload', { asAdmin: true })
    expect(answer.status, answer.body).to.equal(200)
    await bothSay('two')
  })

  it('that are updated on one are updated on both, and a version that fails on none', async () => {
    const next = await tarball('package', filesOf('2.0.0', 'three'))
    expect(await upload(0, 'extensions/upload', 'next.tgz', next)).to.include({ status: 200 })
    await bothSay('three')
    const broken = { ...filesOf('3.0.0', 'four'), 'word.ts': 'throw new Error("broken"); export const WORD = 1' }
    const failing = await tarball('package', broken)
    expect(await upload(1, 'extensions/upload', 'failing.tgz', failing)).to.include({ status: 409 })
    await bothSay('three')
    for (const node of [0, 1]) {
      await until(async () => readFileSync(folderOf(node, 'extensions/greeter/word.ts'), 'utf8').includes('three'))
    }
  })

  it('are fetched by a node that was down, which sets aside files that no other node has', async () => {
    await cluster.nodes[1]?.end('SIGKILL')
    write(0, 'extensions/greeter', filesOf('2.1.0', 'five'))
    await cluster.send(0, 'POST', '/wp-json/host/v1/extensions/greeter/reload', { asAdmin: true })
    write(1, 'extensions/greeter', filesOf('2.0.1', 'by hand'))
    await cluster.start(1)
    expect(await word(1)).to.equal('five')
    const aside = readdirSync(folderOf(1, 'tmp')).find((name) => name.startsWith('replaced-extensions-greeter-'))
    expect(readFileSync(folderOf(1, 'tmp', aside ?? '', 'word.ts'), 'utf8')).to.include('by hand')
  })

  it('that were changed while their node was down are shared when it starts', async () => {
    await cluster.nodes[1]?.end()
    write(1, 'extensions/greeter', filesOf('2.2.0', 'six'))
    await cluster.start(1)
    await bothSay('six')
  })

  it('make a node that cannot fetch them unready, until it can', async () => {
    const rows = await cluster.query(`select hash, encode(archive, 'hex') as archive from shared_code`)
    await cluster.nodes[1]?.end()
    rmSync(folderOf(1, 'extensions'), { recursive: true })
    await cluster.query(`update shared_code set archive = 'damaged'`)
    await cluster.start(1)
    const before = await ready(1)
    expect(before.status).to.equal(503)
    expect(before.extensions).to.include('extensions/greeter')
    expect((await ready(0)).status).to.equal(200)
    expect(await word(0)).to.equal('six')
    for (const { hash, archive } of rows) {
      await cluster.query(`update shared_code set archive = decode('${archive}', 'hex') where hash = '${hash}'`)
    }
    await until(async () => (await ready(1)).status === 200)
    await bothSay('six')
  })

  it('are not activated if the other nodes could not have the same files', async () => {
    write(0, 'extensions/odd', {
      'index.ts': extension('1.0.0').replaceAll('greeter', 'odd'),
      'word.ts': '',
      'a:b.txt': '',
    })
    const { code, errors } = await pentad(folderOf(0), ['extension', 'activate', 'odd'])
    expect(code).to.equal(1)
    expect(errors).to.include('unsafe name')
    const { body } = await cluster.send(0, 'GET', '/wp-json/host/v1/extensions', { asAdmin: true })
    const states: { id: string; state: string }[] = JSON.parse(body).data
    expect(states.find(({ id }) => id === 'odd')).to.include({ state: 'inactive' })
  })

  it('are not sent to the other nodes by a reload while they are untrusted', async () => {
    write(0, 'extensions/stranger', { 'index.ts': extension('1.0.0').replaceAll('greeter', 'stranger'), 'word.ts': '' })
    await markUntrustedCode(folderOf(0, 'extensions'), ['greeter', 'odd'])
    const { body } = await cluster.send(0, 'GET', '/wp-json/host/v1/extensions', { asAdmin: true })
    expect(body).to.include('stranger')
    const path = '/wp-json/host/v1/extensions/stranger/reload'
    const { status } = await cluster.send(0, 'POST', path, { asAdmin: true })
    const [row] = await cluster.query(`select value from site_options where name = 'host_shared_code'`)
    expect(row?.value).to.include('greeter').and.not.include('stranger')
    expect(status).to.equal(409)
    rmSync(folderOf(0, 'extensions/stranger'), { recursive: true })
  })

  it('that are removed on one are removed on both', async () => {
    const headers = await logIn(cluster.urlOf(1), 'admin', PASSWORD)
    const { status } = await cluster.send(1, 'DELETE', '/wp-json/host/v1/extensions/greeter', { headers })
    expect(status).to.equal(200)
    await bothSay('404')
    await until(() => !existsSync(folderOf(0, 'extensions/greeter')))
    await cluster.nodes[0]?.end()
    await cluster.start(0)
    expect(existsSync(folderOf(0, 'extensions/greeter'))).to.equal(false)
  })

  it('are the same in pages: a theme that is uploaded to one is used by both, and so is its next version', async () => {
    const theme = (title: string) => tarball('plain', { 'index.eta': `<title>${title}</title>`, 'style.css': '' })
    const seen = async (node: number) => (await cluster.send(node, 'GET', '/')).body
    expect(await upload(0, 'themes/upload', 'plain.tgz', await theme('First look'))).to.include({ status: 200 })
    const settings = { asAdmin: true, body: { settings: { theme: 'plain' } } }
    expect((await cluster.send(1, 'PUT', '/wp-json/host/v1/settings/host', settings)).status).to.equal(200)
    await until(async () => (await seen(0)).includes('First look') && (await seen(1)).includes('First look'))
    const second = await theme('Second look')
    expect(await upload(1, 'themes/upload?replace=true', 'plain.tgz', second)).to.include({ status: 200 })
    await until(async () => (await seen(0)).includes('Second look') && (await seen(1)).includes('Second look'))
  })
})
