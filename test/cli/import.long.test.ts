import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { wxrFile, wxrItem } from '../content/import/wxr-file.ts'
import { commandLine } from '../support/command-line.ts'
import { pentad, type RunningSite, startPentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures')
const EXPORT = join(FIXTURES, 'wordpress-export.xml')
const OLD_SITE = 'http://127.0.0.1:8090'

interface Item {
  readonly link: string
  readonly title: string
  readonly type: string
  readonly status: string
  readonly isProtected: boolean
}

/** What stands in the export, read without our importer. */
function readItems(): Item[] {
  const text = readFileSync(EXPORT, 'utf8')
  return [...text.matchAll(/<item>([\s\S]*?)<\/item>/g)].map(([, item = '']) => {
    const field = (name: string) =>
      new RegExp(`<${name}>(?:<!\\[CDATA\\[)?([\\s\\S]*?)(?:\\]\\]>)?</${name}>`).exec(item)?.[1] ?? ''
    return {
      link: field('link'),
      title: field('title'),
      type: field('wp:post_type'),
      status: field('wp:status'),
      isProtected: field('wp:post_password') !== '',
    }
  })
}

/** As a reader sees it: without tags, entities resolved, typographic quotes and dashes made plain. */
function plain(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/[‘’′]/g, "'")
    .replace(/[“”″]/g, '"')
    .replace(/[–—]/g, '-')
    .replace(/-+/g, '-')
    .replaceAll('…', '...')
    .replace(/\s+/g, ' ')
    .trim()
}

describe('pentad import, into the running site', () => {
  const command = commandLine()
  const siteDir = temporaryFolder()
  const uploads = temporaryFolder()
  const items = readItems()
  let site: RunningSite

  const at = (link: string) => link.replace(OLD_SITE, site.url)
  const visible = () =>
    items.filter(({ status, isProtected }) => (status === 'publish' || status === 'inherit') && !isProtected)
  const hidden = () => items.filter((item) => !visible().includes(item))

  before(async () => {
    execFileSync('tar', ['-xzf', join(FIXTURES, 'wordpress-uploads.tar.gz'), '-C', uploads])
    site = await startPentad(siteDir)
    // Fills what the server remembers with the site before the import.
    await fetch(site.url)
    const imported = await pentad(siteDir, ['import', EXPORT, '--uploads', join(uploads, 'uploads')])
    expect(imported.code, imported.errors).to.equal(0)
  })
  after(() => site.end())

  it('answers every published post, page and attachment with its title', async () => {
    expect(visible().length).to.be.greaterThan(60)
    for (const { link, title } of visible()) {
      const answer = await fetch(at(link))
      expect(answer.status, link).to.equal(200)
      expect(plain(await answer.text()), link).to.contain(plain(title))
    }
  })

  it('answers every category, tag and author page with its name, and its feed', async () => {
    const list = async (route: string): Promise<{ name: string; link: string }[]> =>
      JSON.parse(await (await fetch(`${site.url}/wp-json/wp/v2/${route}?per_page=100`)).text())
    const archives = [...(await list('categories')), ...(await list('tags')), ...(await list('users'))]
    expect(archives.length).to.be.greaterThan(10)
    for (const { name, link } of archives) {
      const page = await fetch(link)
      expect(page.status, link).to.equal(200)
      expect(plain(await page.text()), link).to.contain(plain(name))
      const feed = await fetch(`${link}feed/`)
      expect(feed.status, link).to.equal(200)
      expect(feed.headers.get('Content-Type')).to.contain('rss+xml')
    }
  })

  it('answers every image of the pages', async () => {
    const images = new Set<string>()
    for (const { link } of visible()) {
      const html = await (await fetch(at(link))).text()
      // What the services put there are scripts and styles.
      const files = html.matchAll(/(?:src|href)="([^"]*\/wp-content\/uploads\/(?!(?:speed|pwa)\/)[^"]+)"/g)
      for (const [, source = ''] of files) images.add(source)
      for (const [, set = ''] of html.matchAll(/srcset="([^"]+)"/g)) {
        for (const source of set.split(',')) images.add(source.trim().split(' ')[0] ?? '')
      }
    }
    expect(images.size).to.be.greaterThan(10)
    for (const source of images) {
      const answer = await fetch(new URL(source, site.url))
      expect(answer.status, source).to.equal(200)
      expect(answer.headers.get('Content-Type'), source).to.match(/^image\//)
    }
  })

  it('keeps no address of the old site', async () => {
    for (const { link } of visible()) expect(await (await fetch(at(link))).text(), link).to.not.contain(OLD_SITE)
  })

  it('leaks nothing that is not public: page, lists, feeds, search, REST', async () => {
    expect(hidden().length).to.equal(4)
    const places = [
      '/',
      '/page/2/',
      '/page/3/',
      '/feed/',
      '/comments/feed/',
      '/wp-json/wp/v2/posts?per_page=100',
      '/wp-json/wp/v2/pages?per_page=100',
    ]
    const texts = await Promise.all(places.map(async (path) => plain(await (await fetch(site.url + path)).text())))
    const own = (title: string) => plain(title.replace(/^(Protected|Private): /, ''))
    for (const { title, link, isProtected } of hidden()) {
      const page = await fetch(at(link))
      expect(page.status, link).to.equal(isProtected ? 200 : 404)
      if (isProtected) continue
      const search = await fetch(`${site.url}/?s=${encodeURIComponent(own(title))}`)
      const found = await fetch(`${site.url}/wp-json/wp/v2/search?search=${encodeURIComponent(own(title))}`)
      for (const text of texts) expect(text).to.not.contain(own(title))
      expect(await found.json(), title).to.deep.equal([])
      expect([...(await search.text()).matchAll(/<article/g)], title).to.deep.equal([])
    }
  })

  it('adds nothing when it is imported again, with an archive of the uploads', async () => {
    const counts = () =>
      Promise.all(
        ['posts', 'pages', 'media', 'categories', 'tags', 'comments', 'users'].map(async (route) => [
          route,
          (await fetch(`${site.url}/wp-json/wp/v2/${route}?per_page=1`)).headers.get('X-WP-Total'),
        ]),
      )
    const before = await counts()
    const again = await pentad(siteDir, ['import', EXPORT, '--uploads', join(FIXTURES, 'wordpress-uploads.tar.gz')])
    expect(again.code, again.errors).to.equal(0)
    expect(await counts()).to.deep.equal(before)
  })

  it('downloads from public addresses only, and lists what is missing', async () => {
    const url = `<wp:attachment_url>${OLD_SITE}/files/2020/01/gone.jpg</wp:attachment_url>`
    const file = wxrFile([wxrItem({ id: 900, type: 'attachment', status: 'inherit', more: url })])
    const imported = await pentad(siteDir, ['import', file, '--download'])
    expect(imported.code, imported.errors).to.equal(0)
    expect(imported.output).to.match(/Missing media files.*\n {2}2020\/01\/gone\.jpg: .* its address is not public\.$/m)
    const { output } = await command(siteDir, ['import', file, file, '--dry-run'])
    expect(output).to.match(/^Dry run: nothing was changed\.[\s\S]*attachment +0 added +2 already existed/)
    expect(imported.output + imported.errors).to.not.match(/"stack"|\n {4}at /)
  })

  it('says what is wrong with a file that is no export', async () => {
    const missing = await command(siteDir, ['import', join(siteDir, 'nothing.xml')])
    expect(missing.code).to.equal(1)
    expect(missing.errors).to.contain('There is no file')
    const folder = await command(siteDir, ['import', siteDir])
    expect(folder.errors).to.contain(`There is no file ${siteDir}.`)
    const wrong = await command(siteDir, ['import', join(siteDir, 'options.json')])
    expect(wrong.code).to.equal(1)
    expect(wrong.errors).to.match(/^pentad: .*Nothing was imported/m)
    expect(wrong.output, 'an empty report').to.equal('')
  })

  it('rehearses an import into a new site, and leaves none behind', async () => {
    const parent = temporaryFolder()
    const newSite = join(parent, 'new')
    const { code, output, errors } = await pentad(newSite, ['import', wxrFile([wxrItem({ id: 7 })]), '--dry-run'])
    expect(code, errors).to.equal(0)
    expect(output).to.match(/^Dry run: nothing was changed\.[\s\S]*post +1 added/)
    expect(readdirSync(parent)).to.deep.equal([])
  })
})
