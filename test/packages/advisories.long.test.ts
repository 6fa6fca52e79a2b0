import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect } from 'chai'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'
import { commandLine } from '../support/command-line.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'
import { extensionOf, startRegistry, type TestRegistry, tarOf } from './registry.ts'

interface Query {
  readonly package: { readonly name: string; readonly ecosystem: string }
  readonly version: string
}

/** A database with OSV's `POST /v1/query` and `/v1/querybatch`, which knows of one bad version. */
async function startDatabase() {
  const queries: unknown[] = []
  let isUp = true
  const server = createServer(async (request, response) => {
    const query = (await json(request)) as Query & { queries?: readonly Query[] }
    queries.push({ path: `${request.method} ${request.url}`, ...query })
    response.statusCode = isUp ? 200 : 500
    const isBad = (one: Query) => one.package.name === 'hello-extension' && one.version === '1.1.0'
    const vulns = [
      { id: 'GHSA-withdrawn', modified: '2026-01-01T00:00:00Z', withdrawn: '2026-01-02T00:00:00Z' },
      { id: 'GHSA-2026-0001', summary: 'Scripts in titles', modified: '2026-01-01T00:00:00Z', affected: [] },
    ]
    const ids = vulns.map(({ id, modified }) => ({ id, modified }))
    if (query.queries)
      response.end(JSON.stringify({ results: query.queries.map((one) => (isBad(one) ? { vulns: ids } : {})) }))
    else response.end(JSON.stringify(isBad(query) ? { vulns } : {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    queries,
    fail: () => {
      isUp = false
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

describe('advisories', () => {
  const run = commandLine()
  let host: TestHost
  let registry: TestRegistry
  let database: Awaited<ReturnType<typeof startDatabase>>
  beforeEach(async () => {
    registry = await startRegistry()
    database = await startDatabase()
    host = await createTestHost()
    await configure(database.url)
    for (const version of ['1.0.0', '1.1.0']) {
      await registry.publish('hello-extension', version, { 'index.js': extensionOf('hello', version) })
    }
  })
  afterEach(async () => {
    await host.close()
    await database.close()
    await registry.close()
  })

  const configure = (advisoryDatabase: string) =>
    host.host.options.update('extension_packages_settings', { registry: registry.url, advisoryDatabase })
  const install = (range: string, options = {}) =>
    host.host.packages.install({ type: 'registry', name: 'hello-extension', range }, options)
  const failure = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => ({}),
      (thrown) => thrown,
    )
    return { code: error.code, message: error.message, data: error.data }
  }
  const FOUND = 'hello-extension 1.1.0 has known vulnerabilities: GHSA-2026-0001 (Scripts in titles)'

  it('are looked up before a version is installed, which is rejected unless the owner says so', async () => {
    await install('1.0.0')
    expect(database.queries).to.deep.equal([
      { path: 'POST /v1/query', package: { name: 'hello-extension', ecosystem: 'npm' }, version: '1.0.0' },
    ])
    const { code, message, data } = await failure(host.host.packages.update('hello'))
    expect([code, message]).to.deep.equal(['extension_vulnerable', `${FOUND}.`])
    expect(data).to.deep.include({ advisories: [{ id: 'GHSA-2026-0001', summary: 'Scripts in titles' }] })
    expect(host.host.extensions.list().find(({ id }) => id === 'hello')?.version).to.equal('1.0.0')
    expect(await host.host.packages.update('hello', { ignoresAdvisories: true })).to.include({ version: '1.1.0' })
    expect(await host.host.packages.vulnerable()).to.deep.equal([
      {
        ...{ id: 'hello', package: 'hello-extension', version: '1.1.0' },
        advisories: [{ id: 'GHSA-2026-0001', summary: 'Scripts in titles' }],
      },
    ])
  })

  it('of all installed versions are looked up by one request, and one for each version that has any', async () => {
    for (const name of ['good', 'fine']) {
      await registry.publish(`${name}-extension`, '1.0.0', { 'index.js': extensionOf(name, '1.0.0') })
      await host.host.packages.install({ type: 'registry', name: `${name}-extension`, range: '*' })
    }
    await install('1.1.0', { ignoresAdvisories: true })
    const before = database.queries.length
    expect((await host.host.packages.vulnerable()).map(({ id }) => id)).to.deep.equal(['hello'])
    const npm = (name: string) => ({ name: `${name}-extension`, ecosystem: 'npm' })
    expect(database.queries.slice(before)).to.deep.equal([
      {
        path: 'POST /v1/querybatch',
        queries: [
          { package: npm('good'), version: '1.0.0' },
          { package: npm('fine'), version: '1.0.0' },
          { package: npm('hello'), version: '1.1.0' },
        ],
      },
      { path: 'POST /v1/query', package: npm('hello'), version: '1.1.0' },
    ])
  })

  it('apply to files by the name in their package.json', async () => {
    const path = join(temporaryFolder(), 'hello.tgz')
    const manifest = JSON.stringify({ name: 'hello-extension', version: '1.1.0' })
    writeFileSync(path, await tarOf({ 'index.js': extensionOf('hello', '1.1.0'), 'package.json': manifest }))
    const { code } = await failure(host.host.packages.install({ type: 'path', path }))
    expect(code).to.equal('extension_vulnerable')
  })

  it('that cannot be looked up prevent an installation', async () => {
    database.fail()
    const { code, message } = await failure(install('1.0.0'))
    expect(code).to.equal('package_unavailable')
    expect(message).to.match(/hello-extension 1\.0\.0 could not be looked up in the advisory database: HTTP 500/)
    expect(await install('1.0.0', { ignoresAdvisories: true })).to.include({ version: '1.0.0' })
    expect(await host.host.packages.vulnerable()).to.deep.equal([])
  })

  it('are not looked up if no database is configured', async () => {
    await configure('')
    expect(await install('1.1.0')).to.include({ version: '1.1.0' })
    expect(database.queries).to.deep.equal([])
  })

  it('are named by the commands and over REST', async () => {
    const command = (...args: string[]) => run(host.host.config.siteDir, ['extension', ...args])
    const rejected = await command('install', 'hello-extension@1.1.0')
    expect(rejected.errors).to.contain(`${FOUND}.\nTo allow this, run the command again with --ignore-advisories.`)
    expect(await command('install', 'hello-extension@1.1.0', '--ignore-advisories')).to.include({ code: 0 })
    expect((await command('outdated')).output).to.contain('hello 1.1.0 has known vulnerabilities: GHSA-2026-0001')
    const doctor = await run(host.host.config.siteDir, ['doctor', '--json'])
    expect(doctor.output).to.contain('hello 1.1.0 has known vulnerabilities: GHSA-2026-0001 (Scripts in titles).')
    const listed = async () => {
      const response = await host.get('/wp-json/host/v1/extensions/advisories', { as: 'administrator' })
      const { data } = (await response.json()) as { data: { id: string }[] }
      return data.map(({ id }) => id).join()
    }
    await until(async () => (await listed()) === 'hello')
    expect((await host.get('/wp-json/host/v1/extensions/advisories', { as: 'editor' })).status).to.equal(403)
  })
})
