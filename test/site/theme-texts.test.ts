import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { po } from 'gettext-parser'
import { createTestHost, type TestHost } from 'pentad/testing'
import { temporaryFolder } from '../support/site-folder.ts'

// cspell:ignore monat kategorie auswählen noch keine vorheriger nächster angemeldet bleiben oben ohne unten eins zwei seiten titel weiterlesen katze katzen hund hunde grün seite nicht gefunden inhalt springen startseite suchergebnisse ergebnis kommentar antworten absenden finden suche privat geschützt geheim gesperrt
const THEME = join(import.meta.dirname, '../../themes/default')

/** The texts that the templates and the code for pages pass to `__` and `_n`; the toolbar has those of the admin. */
function textsOfTheme(): Set<string> {
  const code = globSync(join(import.meta.dirname, '../../cms/site/**/*.ts'))
  const sources = [
    ...globSync('**/*.eta', { cwd: THEME }).map((file) => join(THEME, file)),
    ...code.filter((file) => !file.includes('/editor-bar/')),
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
    const placeholders = (text: string) => (text.match(/%(?:\d+\$)?s/g) ?? []).toSorted()
    for (const [text, { msgstr }] of Object.entries(german))
      for (const form of msgstr) expect(placeholders(form), text).to.deep.equal(placeholders(text))
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
    expect(post).to.include('title="My Pentad site » Kommentar-Feed"').and.include('» Hallo-Kommentar-Feed"')
    const theirs = Object.keys(german).filter((text) => text.length > 12)
    for (const html of [missing, search, post]) for (const text of theirs) expect(html).not.to.include(`>${text}<`)
  })

  it('are in breadcrumbs, page links, links to posts without a title, and blocks', async () => {
    const { posts } = site.host.content
    await site.host.settings.get('appearance')?.update({ breadcrumbs: true })
    const content = 'Eins<!--nextpage-->Zwei'
    const above = await posts.insert({ type: 'page', status: 'publish', title: '', slug: 'oben', content })
    const blocks = '<!-- wp:read-more /-->\n\n<!-- wp:search /-->'
    await posts.insert({
      ...{ type: 'page', status: 'publish', title: 'Unten', slug: 'unten', parentId: above.id, content: blocks },
    })
    await posts.insert({ type: 'post', status: 'publish', title: '', slug: 'eins', date: '2020-01-01T00:00:00' })
    await posts.insert({ type: 'post', status: 'publish', title: 'Zwei', slug: 'zwei', date: '2020-01-02T00:00:00' })
    const below = await page('/oben/unten/')
    expect(below).to.include('<a href="/">Startseite</a>').and.include('<a href="/oben/">Ohne Titel</a>')
    expect(below).to.match(/wp-block-read-more[^>]*>Weiterlesen<[\s\S]*wp-block-search__label[^>]*>Suche</)
    expect(below).to.match(/wp-block-search__button[^>]*>Suche</)
    expect(await page('/oben/')).to.include('<p class="post-nav-links">Seiten: ')
    expect(await page('/zwei/')).to.match(/href="\/eins\/"[^>]*>(<[^>]*>|\s)*Ohne Titel/)
    for (const html of [below, await page('/zwei/')]) expect(html).not.to.include('Untitled')
  })

  it('are in blocks that list something, and in forms', async () => {
    const blocks = [
      ...['archives {"displayAsDropdown":true}', 'categories {"displayAsDropdown":true}', 'tag-cloud', 'calendar'],
      ...['latest-comments', 'latest-posts {"displayAuthor":true}', 'loginout {"displayLoginAsForm":true}'],
      ...['navigation', 'post-comments-form', 'comments-title'],
    ]
    const content = blocks.map((block) => `<!-- wp:${block} /-->`).join('\n\n')
    await site.host.content.posts.insert({ type: 'page', status: 'publish', title: 'Listen', slug: 'listen', content })
    const html = await page('/listen/')
    expect(html).to.include('Monat auswählen').and.include('Kategorie auswählen').and.include('noch keine Schlagwörter')
    expect(html).to.include('Vorheriger und nächster Monat').and.include('Angemeldet bleiben').and.include('>von ')
    expect(html).to.match(/<\/a> zu <a class="wp-block-latest-comments__comment-link"|<\/span> zu <a/)
    expect(html).not.to.match(/>Select |Your site|>Log |Posts published|Previous and next|>by | on <a|Open menu/)
  })

  it('are in the titles of further pages, and of protected and private posts', async () => {
    const { posts } = site.host.content
    const secret = { type: 'post', status: 'publish', title: 'Katze', password: 'secret' } as const
    await posts.insert({ ...secret, slug: 'katze' })
    await posts.insert({ type: 'post', status: 'private', title: 'Hund', slug: 'hund' })
    for (let at = 0; at < 10; at++) await posts.insert({ type: 'post', status: 'publish', title: `Hund ${at}` })
    expect(await page('/katze/')).to.match(/<title>Geschützt: Katze/)
    expect(await page('/page/2/')).to.match(/<title>[^<]*Seite 2/)
    const listed = await site.request('/wp-json/wp/v2/posts?status=private&_fields=title', { as: 'administrator' })
    expect(await listed.text()).to.include('Privat: Hund')
  })

  it('are in the titles of protected and private posts before any page was requested, and after a change', async () => {
    const siteDir = temporaryFolder()
    writeFileSync(join(siteDir, 'options.json'), JSON.stringify({ site_settings: { language: 'de_DE' } }))
    const folder = join(siteDir, 'themes/shop/languages')
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'shop-de.po'),
      'msgid "Private: %s"\nmsgstr "Geheim: %s"\n\nmsgid "Protected: %s"\nmsgstr "Gesperrt: %s"\n',
    )
    const started = await createTestHost({ config: { siteDir } })
    try {
      const { host } = started
      await host.content.posts.insert({ type: 'post', status: 'private', title: 'Hund' })
      const secret = { type: 'post', status: 'publish', title: 'Katze', password: 'secret' } as const
      await host.content.posts.insert({ ...secret, date: '2020-01-01T00:00:00' })
      const privateTitles = async () => {
        const path = '/wp-json/wp/v2/posts?status=private&_fields=title'
        return (await started.request(path, { as: 'administrator' })).text()
      }
      const neighbors = async () => (await started.get('/hello-world/')).text()
      expect(await privateTitles()).to.include('Privat: Hund')
      expect(await neighbors()).to.include('Geschützt: Katze')
      await host.settings.get('host')?.update({ theme: 'shop' })
      expect(await privateTitles()).to.include('Geheim: Hund')
      expect(await neighbors()).to.include('Gesperrt: Katze')
      await host.content.updateSiteSettings({ language: 'en_US' })
      expect(await privateTitles()).to.include('Private: Hund')
      expect(await neighbors()).to.include('Protected: Katze')
    } finally {
      await started.close()
    }
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

  it('have the plural forms, the character set, and the maximum size of their own file', async () => {
    const themes = join(site.host.config.siteDir, 'themes')
    for (const name of ['base', 'child']) mkdirSync(join(themes, name, 'languages'), { recursive: true })
    writeFileSync(join(themes, 'child/style.css'), '/* Theme Name: Child\nTemplate: base */')
    writeFileSync(join(themes, 'base/style.css'), '/* Theme Name: Base */')
    writeFileSync(
      join(themes, 'child/404.eta'),
      '<%= it._n("%s cat", "%s cats", 1) %>, <%= it._n("%s dog", "%s dogs", 1) %>, <%= it.__("Green") %>',
    )
    const header = (charset: string, rule: string) =>
      `msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=${charset}\\n"\n"Plural-Forms: ${rule}\\n"\n\n`
    const message = (word: string, one: string, many: string) =>
      `msgid "%s ${word}"\nmsgid_plural "%s ${word}s"\nmsgstr[0] "${one}"\nmsgstr[1] "${many}"\n\n`
    const reversed = header('UTF-8', 'nplurals=2; plural=(n == 1);') + message('cat', '%s Katzen', '%s Katze')
    writeFileSync(join(themes, 'child/languages/child-de.po'), reversed)
    const latin = header('ISO-8859-1', 'nplurals=2; plural=(n != 1);') + message('dog', '%s Hund', '%s Hunde')
    const base = join(themes, 'base/languages/base-de.po')
    writeFileSync(base, `${latin}msgid "Green"\nmsgstr "Grün"\n`, 'latin1')
    await site.host.content.updateSiteSettings({ language: 'de_DE' })
    await site.host.settings.get('host')?.update({ theme: 'child' })
    expect(await page('/nothing/')).to.include('1 Katze, 1 Hund, Grün')
    writeFileSync(base, latin + '# \n'.repeat(400_000))
    expect(await page('/nothing/')).to.include('1 Katze, 1 dog, Green')
  })
})
