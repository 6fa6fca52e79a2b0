import { createServer } from 'node:net'
import { expect } from 'chai'
import { pentad, type RunningSite, startPentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'

describe('pentad start', function () {
  this.timeout(60_000)
  const siteDir = temporaryFolder()
  let site: RunningSite
  let password: string

  it('makes a site, prints the administrator’s password once, and serves', async () => {
    site = await startPentad(siteDir)
    password = /password\s+(\S+)/.exec(site.output())?.[1] ?? ''
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
    expect(site.output()).to.not.contain('password')
    expect((await fetch(`${site.url}/hello-world/`)).status).to.equal(200)
  })

  it('starts again after kill -9', async () => {
    await site.end('SIGKILL')
    site = await startPentad(siteDir)
    expect((await fetch(`${site.url}/hello-world/`)).status).to.equal(200)
    await site.end()
  })

  it('says which port is in use and what to do', async () => {
    const blocker = createServer()
    await new Promise<void>((ready) => blocker.listen(0, '127.0.0.1', ready))
    const address = blocker.address()
    const port = address && typeof address === 'object' ? String(address.port) : ''
    const { code, errors } = await pentad(siteDir, ['start', '--port', port])
    blocker.close()
    expect(code).to.equal(1)
    expect(errors).to.contain(`Port ${port} is in use`).and.contain('--port')
  })
})
