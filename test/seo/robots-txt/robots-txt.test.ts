import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { openSeoSite, putSettings, set } from '../seo-site.ts'

describe('robots.txt', () => {
  let site: TestHost
  const text = async () => (await site.get('/robots.txt')).text()
  const core = 'User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n'

  before(async () => {
    site = await openSeoSite()
  })
  afterEach(() => set(site, { robotsTxt: '', blockedCrawlers: [], blockAiTraining: 'off' }))
  after(() => site.close())

  it('says what core says, and where the sitemap is', async () => {
    expect(await text()).to.equal(`${core}\nSitemap: ${site.url}/wp-sitemap.xml\n`)
  })

  it('asks unwanted AI crawlers to stay away, names that are for robots.txt alone among them', async () => {
    await set(site, { blockedCrawlers: ['GPTBot', 'Google-Extended', 'Applebot-Extended'] })
    expect(rulesOf(await text())).to.deep.include({
      GPTBot: ['Disallow: /'],
      'Google-Extended': ['Disallow: /'],
      'Applebot-Extended': ['Disallow: /'],
      '*': ['Disallow: /wp-admin/', 'Allow: /wp-admin/admin-ajax.php'],
    })
  })

  it('blocks all training crawlers with one switch, but no search crawlers or user-triggered fetchers', async () => {
    await set(site, { blockAiTraining: 'on', blockedCrawlers: ['GPTBot'] })
    const rules = rulesOf(await text())
    for (const name of ['GPTBot', 'ClaudeBot', 'CCBot', 'Google-Extended', 'Applebot-Extended', 'Bytespider'])
      expect(rules[name], name).to.deep.equal(['Disallow: /'])
    for (const name of ['OAI-SearchBot', 'ChatGPT-User', 'Claude-User', 'Googlebot', 'bingbot', 'Applebot'])
      expect(rules[name], name).to.equal(undefined)
    expect((await text()).match(/GPTBot/g)).to.have.length(1)
  })

  it('does not offer to shut out search engines by mistake', async () => {
    for (const name of ['Googlebot', 'bingbot', 'Applebot', 'Nobody']) {
      const answer = await putSettings(site, { blockedCrawlers: [name] })
      expect([name, answer.status]).to.deep.equal([name, 400])
    }
  })

  it('has the owner’s rules: those before the first User-agent are for all', async () => {
    await set(site, {
      robotsTxt: 'Disallow: /private/\r\n\r\nUser-agent: BadBot\r\nDisallow: /\r\n# and a comment',
      blockedCrawlers: ['GPTBot'],
    })
    const rules = rulesOf(await text())
    expect(rules['*']).to.include('Disallow: /private/')
    expect(rules.BadBot).to.deep.equal(['Disallow: /'])
    expect(rules.GPTBot).to.deep.equal(['Disallow: /'])
    expect(await text()).to.contain('\n# and a comment\n')
  })

  it('rejects invalid rules, and those that would break the rules after them', async () => {
    for (const robotsTxt of [
      'Hello',
      'Disallow: /a\u0000',
      '<script>',
      'User-agent: BadBot',
      'Disallow: /x\nUser-agent: *\n\n',
    ]) {
      const answer = await putSettings(site, { robotsTxt })
      expect([robotsTxt, answer.status]).to.deep.equal([robotsTxt, 400])
    }
  })
})

/** Rules by user agent, as a robot reads them (RFC 9309, 2.2.1): empty lines part nothing. */
function rulesOf(text: string): Record<string, string[]> {
  const rules: Record<string, string[]> = {}
  let agents: string[] = []
  let isOver = false
  for (const line of text.split('\n').map((one) => one.replace(/#.*/, '').trim())) {
    const [, agent] = /^user-agent:\s*(\S+)$/i.exec(line) ?? []
    if (agent !== undefined) {
      if (isOver) agents = []
      isOver = false
      agents.push(agent)
      rules[agent] ??= []
    } else if (/^(?:dis)?allow:/i.test(line)) {
      isOver = true
      for (const one of agents) rules[one]?.push(line)
    }
  }
  return rules
}
