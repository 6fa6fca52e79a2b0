import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { OWN_COMMAND, pentad, type RunningSite, startPentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

describe('pentad start', () => {
  const siteDir = temporaryFolder()
  let site: RunningSite
  let password: string

  it('makes a site, prints the administrator’s password once, and serves', async () => {
    site = await startPentad(siteDir)
    password = /password {3}(\S+)/.exec(site.output())?.[1] ?? ''
    expect(password).to.have.length.greaterThan(15)
    const page = await fetch(`${site.url}/`)
    expect(page.status).to.equal(200)
    expect(await page.text()).to.contain('Hello world!')
    const health = await fetch(`${site.url}/wp-json/host/v1/health`)
    expect(await health.json()).to.have.nested.property('data.ok', true)
  })

  it('lets the administrator sign in with it', async () => {
    const answer = await fetch(`${site.url}/wp-login.php`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ log: 'admin', pwd: password }),
    })
    expect(answer.status).to.equal(302)
    expect(answer.headers.getSetCookie().join())
      .to.match(/HttpOnly/i)
      .and.match(/SameSite=Lax/i)
  })

  it('finishes what is under way on SIGTERM and exits 0', async () => {
    const underWay = fetch(`${site.url}/`)
    await new Promise((resolve) => setTimeout(resolve, 20))
    const code = await site.end('SIGTERM')
    expect((await underWay).status).to.equal(200)
    expect(code).to.equal(0)
  })

  it('starts again with the same site and does not print a password', async () => {
    site = await startPentad(siteDir)
    await until(() => site.output().includes(`Log in at ${site.url}/wp-admin/`))
    expect(site.output()).to.not.contain('password')
    expect((await fetch(`${site.url}/hello-world/`)).status).to.equal(200)
  })

  it('starts again after kill -9', async () => {
    await site.end('SIGKILL')
    site = await startPentad(siteDir)
    expect((await fetch(`${site.url}/hello-world/`)).status).to.equal(200)
    await site.end()
  })

  it('says which port is in use and what to do, and still prints the password of a site that it made', async () => {
    const blocker = createServer()
    await new Promise<void>((ready) => blocker.listen(0, '127.0.0.1', ready))
    const address = blocker.address()
    const port = address && typeof address === 'object' ? String(address.port) : ''
    const { code, output, errors } = await pentad(temporaryFolder(), ['start', '--port', port])
    blocker.close()
    expect(code).to.equal(1)
    expect(errors).to.contain(`Port ${port} is already in use`).and.contain(`${OWN_COMMAND} start --port`)
    expect(output).to.match(/Its password is shown only once:\n.*\n {2}password {3}\S{15,}/)
  })

  it('says which address it can not have', async () => {
    // TEST-NET-1 (RFC 5737): no machine has an address of it.
    const { code, errors } = await pentad(siteDir, ['start', '--host', '192.0.2.1', '--port', '8099'])
    expect(code).to.equal(1)
    expect(errors).to.contain('192.0.2.1 is not an address of this machine')
  })

  it('serves on an IPv6 address', async () => {
    const ipv6 = await startPentad(siteDir, ['--host', '::1'])
    expect(ipv6.url).to.match(/^http:\/\/\[::1\]:\d+$/)
    expect((await fetch(`${ipv6.url}/`)).status).to.equal(200)
    await ipv6.end()
  })

  it('names the wrong option', async () => {
    const { code, errors } = await pentad(siteDir, ['start', '--port', 'abc'])
    expect(code).to.equal(1)
    expect(errors).to.match(/port \(the port option\): .*0 to 65535/)
    expect(errors).to.not.contain('url')
  })

  it('says of a database why it can not be reached, without its password', async () => {
    const folder = temporaryFolder()
    writeFileSync(
      join(folder, 'config.json'),
      JSON.stringify({ databaseUrl: 'postgres://ann:verysecret@127.0.0.1:1/site' }),
    )
    const { code, output, errors } = await pentad(folder, ['start'])
    expect(code).to.equal(1)
    expect(errors).to.contain('ECONNREFUSED 127.0.0.1:1')
    expect(output + errors).to.not.contain('verysecret')
  })

  it('limits the young generation of V8, unless Node’s arguments do', async () => {
    const sizes = async (nodeArgs: readonly string[]) => {
      const started = await startPentad(siteDir, [], { nodeArgs })
      const command = readFileSync(`/proc/${started.pid()}/cmdline`, 'utf8')
      await started.end()
      return [...command.matchAll(/--max-semi-space-size=(\d+)/g)].map(([, size]) => size)
    }
    expect(await sizes([])).to.deep.equal(['8'])
    expect(await sizes(['--max-semi-space-size=32'])).to.deep.equal(['32'])
  })

  it('makes glibc return the memory of large buffers', async () => {
    const site = await startPentad(siteDir)
    const environment = readFileSync(`/proc/${site.pid()}/environ`, 'utf8').split('\0')
    await site.end()
    expect(environment).to.include('MALLOC_ARENA_MAX=2').and.include('MALLOC_MMAP_THRESHOLD_=131072')
  })

  it('refuses a folder where there can be none', async () => {
    const folder = '/proc/pentad-test'
    const { code, errors } = await pentad(folder, ['start'])
    expect(code).to.equal(1)
    expect(errors).to.contain(`The folder ${folder} can't be created`)
    expect(existsSync(folder)).to.equal(false)
  })

  it('warns of a setting that does not exist', async () => {
    writeFileSync(join(siteDir, 'config.json'), JSON.stringify({ prot: 8080, extensionsDir: join(siteDir, 'nowhere') }))
    const { code, errors } = await pentad(siteDir, ['cron'])
    expect(code).to.equal(0)
    expect(errors)
      .to.contain('the unknown setting \\"prot\\" is ignored')
      .and.contain(`The extensions folder ${join(siteDir, 'nowhere')}`)
  })
})
