import { mkdirSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { pentad, type RunningSite, startPentad } from '../support/pentad.ts'
import { openSender } from '../support/send.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

/** File descriptors of the process; it needs about 30 while nobody asks for anything. */
const DESCRIPTORS = 128

/** An extension that takes all file descriptors but so many until it is asked for them. */
const LEAK = `import { closeSync, openSync } from 'node:fs'
import { defineExtension, RestError } from 'pentad'
import { z } from 'zod'
export default defineExtension({ id: 'leak', name: 'Leak', version: '1.0.0', setup(host) {
  const taken = []
  host.rest.registerRoute('leak/v1', { method: 'GET', path: '/give', access: 'public', handler() {
    for (const file of taken.splice(0)) closeSync(file)
    return 'given'
  } })
  const input = z.object({ left: z.int() })
  host.rest.registerRoute('leak/v1', { method: 'GET', path: '/take', access: 'public', input, handler({ input }) {
    try { for (;;) taken.push(openSync('/dev/null')) } catch {}
    for (const file of taken.splice(0, input.left)) closeSync(file)
    return taken.length
  } })
  // Needs a thread. An error of another kind would pause the extension.
  host.rest.registerRoute('leak/v1', { method: 'GET', path: '/save', access: 'public', async handler() {
    try {
      await host.content.posts.insert({ title: 'Large', content: 'A large text. '.repeat(4000) })
      return 'saved'
    } catch (error) {
      throw new RestError('not_saved', String(error), { status: 503 })
    }
  } })
  host.rest.registerRoute('leak/v1', { method: 'GET', path: '/block', access: 'public', handler() { for (;;); } })
} })`

describe('a site without file descriptors', () => {
  let site: RunningSite
  let first: number
  before(async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ stallLimitSeconds: 1 }))
    mkdirSync(join(folder, 'extensions/leak'), { recursive: true })
    writeFileSync(join(folder, 'extensions/leak/index.ts'), LEAK)
    site = await startPentad(folder, [], { openFiles: DESCRIPTORS })
    first = site.pid()
    const { code, errors } = await pentad(folder, ['extension', 'activate', 'leak'])
    if (code !== 0) throw new Error(errors)
    await until(async () => (await ask('/wp-json/leak/v1')) === 200, { seconds: 60 })
  })
  after(() => site.end())

  /** The status of an answer, 0 where the connection was refused. */
  const ask = (path: string) =>
    fetch(site.url + path, { headers: { Connection: 'close' }, signal: AbortSignal.timeout(20_000) }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => 0,
    )
  const errors = () =>
    site
      .output()
      .split('\n')
      .filter((line) => line.includes('"level":50'))

  it('refuses connections before they take its last one, says so once, and works again when they are gone', async () => {
    const { hostname, port } = new URL(site.url)
    const held: Socket[] = []
    for (let at = 0; at < DESCRIPTORS * 4; at++) {
      held.push(connect(Number(port), hostname).on('error', () => {}))
    }
    await until(() => errors().some((line) => line.includes('connections rejected')), { seconds: 60 })
    expect(await ask('/hello-world/')).to.be.oneOf([0, 200])
    for (const socket of held) socket.destroy()
    await until(async () => (await ask('/hello-world/?after')) === 200, { seconds: 60 })
    expect(errors()).to.have.length(1)
  })

  it('survives that an extension takes nearly all: it says so once, and works again when there are some', async () => {
    const before = errors().length
    const statuses = new Set<number>()
    // Its connection has a descriptor, so its requests arrive with none left: there the files of a page cannot be opened.
    const sender = openSender(site.url)
    const visit = async (left: number) => {
      const taken = await sender.send({ path: `/wp-json/leak/v1/take?left=${left}` })
      expect(taken.status).to.equal(200)
      const paths = ['/wp-content/themes/default/style.css', '/', `/?a=${left}`, '/feed/', '/wp-admin/', '/missing.js']
      for (const path of paths) statuses.add((await sender.send({ path })).status)
      for (const status of await Promise.all(paths.map(ask))) statuses.add(status)
      await sender.send({ path: '/wp-json/leak/v1/save' })
    }
    // What was open when the extension took the others, and is closed since, is there for the first of the pages.
    await until(
      async () => {
        await visit(0)
        return errors().length > before
      },
      { seconds: 60 },
    )
    for (let left = 1; left <= 4; left++) await visit(left)
    sender.close()
    for (const status of statuses) expect(status).to.be.oneOf([0, 200, 302, 404, 503])
    await until(async () => (await ask('/wp-json/leak/v1/give')) === 200, { seconds: 60 })
    await until(async () => (await ask('/hello-world/?then')) === 200, { seconds: 60 })
    const said = errors().slice(before)
    expect(said).to.have.length(1)
    expect(said[0]).to.contain('ran out of file descriptors')
    expect(await ask('/feed/')).to.equal(200)
    expect(await ask('/wp-json/wp/v2/posts')).to.equal(200)
    expect(await ask('/wp-json/leak/v1/save')).to.equal(200)
    expect(site.pid(), site.output() + site.errors()).to.equal(first)
  })

  it('is still watched: an extension that blocks it is ended', async () => {
    void ask('/wp-json/leak/v1/block')
    await until(() => site.errors().includes('The site stopped unexpectedly'), { seconds: 60 })
    await until(async () => (await ask('/hello-world/')) === 200, { seconds: 60 })
    expect(site.pid()).not.to.equal(first)
  })
})
