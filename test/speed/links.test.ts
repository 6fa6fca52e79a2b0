import { expect } from 'chai'
import { z } from 'zod'
import { type PageUnderTest, startPage } from './page-under-test.ts'

const rulesSchema = z.record(
  z.string(),
  z.array(z.object({ source: z.string(), eagerness: z.string(), where: z.object({ and: z.array(z.unknown()) }) })),
)

describe('Links', () => {
  let page: PageUnderTest
  const rules = (html: string) => {
    const text = /<script type="speculationrules">(.*?)<\/script>/s.exec(html)?.[1]
    return text === undefined ? undefined : rulesSchema.parse(JSON.parse(text))
  }

  before(async () => {
    page = await startPage({})
  })
  after(() => page.close())
  afterEach(() => page.set({ preloadLinks: 'off', speculationRules: 'off' }))

  describe('speculation rules', () => {
    beforeEach(() => page.set({ speculationRules: 'on' }))

    it('let browsers prefetch pages, but no other files and no URLs with side effects', async () => {
      const found = rules(await page.show('<a href="/about/">About</a>'))
      expect(Object.keys(found ?? {})).to.deep.equal(['prefetch'])
      const [rule] = found?.prefetch ?? []
      expect(rule).to.include({ source: 'document', eagerness: 'moderate' })
      const text = JSON.stringify(rule?.where)
      for (const part of ['/wp-*.php', '/wp-admin/*', '/wp-content/*', '/*\\\\?(.+)', 'nofollow', '.no-prefetch a'])
        expect(text).to.include(part)
    })

    it('obey WordPress’s filters', async () => {
      const { hooks } = page.host.host
      hooks.addFilter('wp_speculation_rules_href_exclude_paths', (paths) => [...paths, '/cart/*', '</script>'])
      const found = rules(await page.show(''))
      expect(JSON.stringify(found)).to.include('/cart/*')
      hooks.addFilter('wp_speculation_rules_configuration', () => null)
      expect(rules(await page.show(''))).to.equal(undefined)
      hooks.removeAllFilters('wp_speculation_rules_configuration')
      hooks.removeAllFilters('wp_speculation_rules_href_exclude_paths')
    })

    it('are not for those who are signed in', async () => {
      await page.show('')
      const { auth } = page.host.host
      const user = await auth.users.create({ login: 'ann', email: 'ann@example.org', roles: ['subscriber'] })
      const session = await auth.startSession(user, { address: '127.0.0.1', userAgent: 'test', remember: false })
      const headers = { Cookie: auth.sessionCookie(session).split(';')[0] ?? '' }
      const html = await (await page.host.get('/', { headers })).text()
      expect(rules(html)).to.equal(undefined)
    })
  })

  describe('prefetched by a script', () => {
    beforeEach(() => page.set({ preloadLinks: 'on' }))

    it('is served as a file of the site that is cached permanently', async () => {
      const html = await page.showFinished((text) => text.includes('/links.'), '')
      const address = /<script src="([^"]+\/links\.[0-9a-f]+\.js)" defer><\/script><\/body>/.exec(html)?.[1] ?? ''
      const answer = await page.host.get(address)
      expect(answer.headers.get('content-type')).to.include('text/javascript')
      expect(answer.headers.get('cache-control')).to.include('immutable')
      expect(Buffer.byteLength(await answer.text())).to.be.below(1500)
    })
  })
})
