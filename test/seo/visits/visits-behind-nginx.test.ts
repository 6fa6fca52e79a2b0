import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { NAMED } from '../../../plugins/seo/crawlers/known-crawlers.ts'
import { siteWith } from '../../speed/cached-site.ts'
import { createNginx, type FrontServer } from '../../speed/front-server.ts'
import { OPTIMIZER_OFF } from '../../speed/optimizer-off.ts'
import { freePort } from '../../support/free-port.ts'
import { until } from '../../support/until.ts'
import {
  AT_HOME,
  clear,
  crawlersOf,
  GPTBOT,
  license,
  OF_GPTBOT,
  openVisitedSite,
  referralsOf,
  visit,
} from './visit-site.ts'

const root = join(import.meta.dirname, '../../..')
const [, map = '', bypass = ''] =
  /```nginx\n(map [\s\S]*?\n\}\n)\n +(proxy_cache_bypass .*;)/.exec(
    readFileSync(join(root, 'docs/guides/seo.md'), 'utf8'),
  ) ?? []

describe('The words by which nginx passes on what is to be counted', () => {
  const words = [...map.matchAll(/"~\*(.*)" 1;/g)].map(([, pattern = '']) => new RegExp(pattern, 'i'))
  const isPassed = (text: string) => words.some((pattern) => pattern.test(text))

  it('are those of all crawlers', () => {
    expect(NAMED.map(({ name }) => name).filter((name) => !isPassed(name))).to.deep.equal([])
  })

  it('are those of assistants, and not of everybody', () => {
    const assistants = ['https://chatgpt.com/', 'https://www.perplexity.ai/', 'https://claude.ai/', 'https://grok.com/']
    expect(assistants.filter((referrer) => !isPassed(referrer))).to.deep.equal([])
    expect(isPassed('Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36  https://example.org/ ')).to.equal(
      false,
    )
  })
})

describe('Visits with a real nginx in front', () => {
  let site: TestHost
  let nginx: FrontServer

  before(async () => {
    const port = await freePort()
    const siteDir = siteWith({ preload: 'off', ...OPTIMIZER_OFF, vitalsSampleRate: 0 })
    site = await openVisitedSite({
      extensions: [join(root, 'plugins/speed'), join(root, 'extensions/nginx-purge')],
      config: { siteDir, port: 0, url: `http://127.0.0.1:${port}` },
    })
    await license(site)
    nginx = await createNginx(Number(new URL(site.url).port), port)
    await site.host.settings.get('nginx-purge')?.update({ folder: join(nginx.folder, 'cache') })
    await nginx.start()
  })
  beforeEach(() => clear(site))
  after(async () => {
    await nginx?.remove()
    await site?.close()
  })

  const stateOf = async (headers: Record<string, string> = {}) =>
    (await visit(nginx, '/hello-world/', headers)).headers.get('x-nginx-cache')
  const keep = () => until(async () => (await stateOf()) === 'HIT')

  it('are not seen where nginx answers from its own cache', async () => {
    await keep()
    expect(await stateOf({ as: GPTBOT, from: OF_GPTBOT })).to.equal('HIT')
    expect(await stateOf({ Referer: 'https://chatgpt.com/' })).to.equal('HIT')
    expect((await crawlersOf(site)).total).to.equal(0)
    expect((await referralsOf(site)).total).to.equal(0)
  })

  it('are counted exactly with the guide’s configuration, and verified by the forwarded address', async () => {
    const file = join(nginx.folder, 'nginx.conf')
    const conf = readFileSync(file, 'utf8')
    await nginx.stop()
    writeFileSync(file, conf.replace('server {', `${map}server {`).replace(/proxy_cache_bypass .*;/, bypass))
    await nginx.start()
    await keep()
    const visits = [
      ...Array.from({ length: 20 }, () => ({ as: GPTBOT, from: OF_GPTBOT })),
      ...Array.from({ length: 10 }, () => ({ as: GPTBOT, from: AT_HOME })),
      ...Array.from({ length: 15 }, () => ({ Referer: 'https://chatgpt.com/' })),
      ...Array.from({ length: 30 }, () => ({})),
    ]
    const states = await Promise.all(visits.map(stateOf))
    expect(states.filter((state) => state === 'HIT')).to.have.length(30)
    const { crawlers } = await crawlersOf(site)
    expect(crawlers.map(({ hits, verified }) => ({ hits, verified }))).to.have.deep.members([
      { hits: 20, verified: true },
      { hits: 10, verified: false },
    ])
    expect((await referralsOf(site)).sources).to.deep.equal([{ name: 'ChatGPT', visits: 15 }])
  })
})
