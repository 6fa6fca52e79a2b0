import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { po } from 'gettext-parser'
import { createTestHost, type TestHost } from 'pentad/testing'

// cspell:ignore seite nicht gefunden inhalt springen startseite suchergebnisse ergebnis kommentar antworten absenden finden suche
const THEME = join(import.meta.dirname, '../../themes/default')

/** The texts that the templates pass to `__` and `_n`, and those of the headings of pages. */
function textsOfTheme(): Set<string> {
  const sources = [
    ...globSync('**/*.eta', { cwd: THEME }).map((file) => join(THEME, file)),
    join(import.meta.dirname, '../../cms/site/page/title.ts'),
  ]
  const calls = sources.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\b_[_n]\('([^']+)'/g)])
  return new Set(calls.map(([, text = '']) => text))
}

describe('The texts of the theme', () => {
  let site: TestHost
  const { '': _, ...german } = po.parse(readFileSync(join(THEME, 'languages/default-de.po'))).translations[''] ?? {}
  before(async () => {
    site = await createTestHost()
    await site.host.content.updateSiteSettings({ language: 'de_AT' })
  })
  after(() => site?.close())

  const page = async (path: string) => (await site.get(path)).text()

  it('are all translated into German, and no others', () => {
    expect(Object.keys(german).toSorted()).to.deep.equal([...textsOfTheme()].toSorted())
    for (const [text, { msgstr }] of Object.entries(german))
      for (const form of msgstr) expect(form.includes('%s'), text).to.equal(text.includes('%s'))
  })

  it('are in the language of the site', async () => {
    const missing = await page('/no-such-page/')
    expect(missing).to.match(/<title>Seite nicht gefunden/)
    expect(missing).to.include('Zum Inhalt springen').and.include('Zurück zur Startseite')
    const search = await page('/?s=%3Cb%3E%24%26')
    expect(search)
      .to.include('Suchergebnisse für „&lt;b&gt;$&amp;“')
      .and.match(/\d Ergebnis/)
    const { id } = await site.host.content.posts.insert({
      ...{ type: 'post', status: 'publish', title: 'Hallo', slug: 'hallo', commentStatus: 'open' },
    })
    const body = { post: id, content: 'Gut' }
    await site.request('/wp-json/wp/v2/comments', { method: 'POST', as: 'administrator', body })
    const post = await page('/hallo/')
    expect(post).to.match(/>1 Kommentar<[\s\S]*Auf \S+ antworten[\s\S]*>Kommentar absenden</)
    const theirs = Object.keys(german).filter((text) => text.length > 12)
    for (const html of [missing, search, post]) for (const text of theirs) expect(html).not.to.include(`>${text}<`)
  })

  it('are replaced by those of a theme, which needs only its own', async () => {
    const folder = join(site.host.config.siteDir, 'themes/shop')
    mkdirSync(join(folder, 'languages'), { recursive: true })
    const text = '<%= it.__("Hello %s", "<you>") %>, <%= it.__("Search") %>, <%= it.__("Page not found") %>'
    writeFileSync(join(folder, '404.eta'), text)
    writeFileSync(
      join(folder, 'languages/shop-de.po'),
      'msgid "Hello %s"\nmsgstr "Hallo %s"\n\nmsgid "Search"\nmsgstr "Finden"\n',
    )
    await site.host.settings.get('host')?.update({ theme: 'shop' })
    expect(await page('/nothing/')).to.include('Hallo &lt;you&gt;, Finden, Seite nicht gefunden')
    writeFileSync(join(folder, 'languages/shop-de.po'), 'msgid "Search" oops')
    expect(await page('/nothing/')).to.include('Hello &lt;you&gt;, Suche, Seite nicht gefunden')
    await site.host.content.updateSiteSettings({ language: 'en_US' })
    expect(await page('/nothing/')).to.include('Hello &lt;you&gt;, Search, Page not found')
  })
})
