import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { startCluster } from '../support/cluster.ts'
import { freePort } from '../support/free-port.ts'
import { type RunningSite, startPentad } from '../support/pentad.ts'
import { postgresBinaries } from '../support/postgres.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { createLoad, createNginx } from './nginx-load.ts'

describe('Two processes of a site behind nginx', () => {
  it('are restarted one after the other without a failed request', async () => {
    const siteDir = temporaryFolder()
    const [port, ...ports] = [await freePort(), await freePort(), await freePort()]
    const url = `http://127.0.0.1:${port}`
    writeFileSync(join(siteDir, 'config.json'), JSON.stringify({ url, trustedProxies: ['127.0.0.1'] }))
    const start = (one = 0) => startPentad(siteDir, ['--port', String(one)])
    // The first one creates the site.
    const sites = [await start(ports[0]), await start(ports[1])]
    const nginx = createNginx(port ?? 0, ports)
    await nginx.start()
    const load = createLoad(url)
    try {
      for (const [index, one] of ports.entries()) {
        const site: RunningSite | undefined = sites[index]
        await load.answered(50)
        expect(await site?.end()).to.equal(0)
        await load.answered(50)
        sites[index] = await start(one)
      }
      await load.answered(50)
    } finally {
      const outcomes = await load.end()
      await nginx.remove()
      for (const site of sites) await site.end()
      expect(outcomes).to.deep.equal(['200'])
    }
  })
})

describe('Two nodes with separate folders behind nginx', () => {
  before(function () {
    if (!postgresBinaries && process.env.CI !== 'true') this.skip()
  })

  it('are restarted one after the other without a failed request', async () => {
    const [port = 0, ...ports] = [await freePort(), await freePort(), await freePort()]
    const url = `http://127.0.0.1:${port}`
    const cluster = await startCluster(() => ({ url }), ports)
    const nginx = createNginx(port, ports)
    await nginx.start()
    const load = createLoad(url)
    try {
      for (const node of [0, 1]) {
        await load.answered(50)
        expect(await cluster.nodes[node]?.end()).to.equal(0)
        await load.answered(50)
        await cluster.start(node)
      }
      await load.answered(50)
    } finally {
      const outcomes = await load.end()
      await nginx.remove()
      await cluster.end()
      expect(outcomes).to.deep.equal(['200'])
    }
  })
})
