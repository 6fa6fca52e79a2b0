import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import request from 'supertest'
import { importWxr } from '../../cms/content/import/index.ts'
import { createLog } from '../../core/log.ts'
import { onEachDatabase } from '../support/databases.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { type SiteUnderTest, startSite, textOf } from './site-under-test.ts'

const fixtures = join(import.meta.dirname, '../fixtures')
const file = join(fixtures, 'wordpress-export.xml')

/** What WordPress says it has, read from the export by hand. */
const items = readFileSync(file, 'utf8')
  .split('<item>')
  .slice(1)
  .map((item) => {
    const value = (name: string) =>
      new RegExp(`<${name}>(?:<!\\[CDATA\\[)?(.*?)(?:\\]\\]>)?</${name}>`).exec(item)?.[1] ?? ''
    return {
      id: value('wp:post_id'),
      title: value('title').replaceAll('&amp;', '&'),
      path: value('link').replace('http://127.0.0.1:8090', ''),
      type: value('wp:post_type'),
      status: value('wp:status'),
      isOpen: ['publish', 'inherit'].includes(value('wp:status')) && value('wp:post_password') === '',
    }
  })
const open = items.filter((item) => item.isOpen)
const closed = items.filter((item) => !item.isOpen)

onEachDatabase('An imported WordPress site', (databaseUrl) => {
  let site: SiteUnderTest
  let uploads: string
  const get = (path: string) => request(site.http).get(path)

  before(async () => {
    site = await startSite({ databaseUrl: await databaseUrl(), environment: 'production' })
    const folder = temporaryFolder()
    execFileSync('tar', ['xzf', join(fixtures, 'wordpress-uploads.tar.gz'), '-C', folder])
    uploads = join(folder, 'uploads')
    const { content, auth, options, database, hooks, config } = site
    const log = createLog('silent')
    await importWxr({
      files: [file],
      uploadsDir: uploads,
      content,
      users: auth.users,
      options,
      database,
      hooks,
      config,
      log,
    })
  })
  after(() => site.close())

  it('has something to show and something to hide', () => {
    expect(open.filter(({ type }) => type === 'post')).to.have.length.greaterThan(40)
    expect(open.filter(({ type }) => type === 'page')).to.have.length.greaterThan(9)
    expect(open.filter(({ type }) => type === 'attachment')).to.have.length(5)
    expect(closed).to.have.length(4)
  })

  for (const { title, path, type } of open) {
    it(`shows the ${type} ${decodeURI(path)} under its title`, async () => {
      const { status, text } = await get(path)
      expect(status).to.equal(200)
      const straight = (words: string) => words.replace(/[“”]|&#822[01];/g, '"').replace(/\s+/g, ' ')
      expect(straight(textOf(text, 'title'))).to.equal(`${straight(title)} – Oracle Gazette`)
      expect(straight(textOf(text, 'h1'))).to.equal(straight(title))
    })
  }

  const archives: Record<string, string> = {
    '/category/cooking/': 'Cooking',
    '/category/societe/': 'Société',
    '/category/travel/': 'Travel',
    '/category/uncategorized/': 'Uncategorized',
    '/category/travel/europe/': 'Europe',
    '/category/travel/europe/georgia/': 'Georgia',
    '/tag/espresso/': 'espresso',
    '/tag/how-to/': 'how-to',
    '/tag/mountains/': 'mountains',
    '/tag/slow-food/': 'slow food',
    '/tag/trains/': 'trains',
    '/tag/%e6%97%a5%e6%9c%ac/': '日本',
    '/author/admin/': 'admin',
    '/author/ed/': 'Ed Müller',
    '/author/auth/': 'Auth Müller',
  }
  for (const [path, name] of Object.entries(archives)) {
    it(`shows ${decodeURI(path)} as “${name}”, with a feed`, async () => {
      const { status, text } = await get(path)
      expect([status, textOf(text, 'title')]).to.deep.equal([200, `${name} – Oracle Gazette`])
      const feed = await get(`${path}feed/`).expect(200)
      expect(textOf(feed.text, 'title')).to.equal(`${name} – Oracle Gazette`)
      expect(feed.text).to.contain('<item>')
    })
  }

  it('sends every file of the old uploads folder unchanged', async () => {
    const names = globSync('**/*.*', { cwd: uploads })
    expect(names).to.have.length.greaterThan(20)
    for (const name of names) {
      const { status, headers } = await request(site.http).head(encodeURI(`/wp-content/uploads/${name}`))
      expect([status, headers['content-length']], name).to.deep.equal([200, String(statSync(join(uploads, name)).size)])
      expect(headers['content-type'], name).to.match(/^image\/(png|jpeg)$/)
    }
  })

  it('has no link to a page, picture or feed of its own that is missing, and hides what is closed on all of them', async () => {
    const seen = new Set(['/'])
    for (const path of seen) {
      const { status, text = '', type } = await get(path)
      expect(status, path).to.equal(200)
      for (const { title } of closed) {
        // The title of a protected post is shown, its text is not.
        if (title.includes('Dispatch 41')) expect(text, path).to.not.contain('summary of dispatch 41')
        else expect(text, path).to.not.contain(title)
      }
      if (type !== 'text/html') continue
      expect(text.match(/<h1[ >]/g), path).to.have.length(1)
      expect(text.match(/<main[ >]/g), path).to.have.length(1)
      for (const [image] of text.matchAll(/<img [^>]*>/g)) expect(image, path).to.match(/ alt="/)
      // A short link is a redirect by its nature.
      for (const [, url = ''] of text.replace(/<link rel="shortlink"[^>]*>/, '').matchAll(/(?:href|src)="([^"#]+)/g)) {
        const target = url.replaceAll('&amp;', '&').replace('http://127.0.0.1:8080', '')
        if (/^\/(?!\/|wp-json|wp-admin)/.test(target)) seen.add(target)
      }
    }
    expect([...seen].filter((path) => path.endsWith('/feed/'))).to.have.length.greaterThan(10)
    expect(seen.size).to.be.greaterThan(120)
  })

  it('has no page for what is closed', async () => {
    for (const { id, path, status } of closed) {
      if (status === 'publish') continue
      await get(`/?p=${id}`).expect(404)
      if (!path.startsWith('/?')) await get(path).expect(404)
    }
    const locked = await get('/dispatch-41-the-night-train-leaves-tbilisi-at-ten-an/').expect(200)
    expect(locked.text).to.contain('name="post_password"').and.not.contain('How long does it take to walk')
  })

  it('does not find what is closed', async () => {
    for (const words of ['Dispatch 41', 'Dispatch 49', 'Dispatch 50', 'Privacy Policy', 'summary dispatch 41']) {
      const { text } = await get(`/?s=${encodeURIComponent(words)}`).expect(200)
      for (const { title, id } of closed)
        expect(text, words).to.not.contain(`post-${id} `).and.not.contain(`>${title}<`)
    }
  })

  it('responds to hostile URLs with a page, never with a server error', async () => {
    const words = [
      '%00',
      "'%20OR%201=1--",
      '%22',
      '*',
      '%',
      '%%%',
      'AND%20NOT%20(',
      '%F0%9F%98%80',
      '%ED%A0%80',
      'a'.repeat(3000),
    ]
    const paths = words.flatMap((word) => [
      `/?s=${word}`,
      `/search/${word}/`,
      `/${word}/`,
      `/category/${word}/`,
      `/tag/travel/${word}/feed/`,
      `/author/${word}/`,
      `/?category_name=${word}&paged=${word}`,
      `/?tag=${word}`,
      `/?author_name=${word}`,
      `/?p=${word}&preview=true`,
    ])
    const more = [
      '/?p=2147483648',
      '/?cat=999999999',
      '/page/999999999/',
      '/0000/',
      '/9999/12/31/',
      '/0001/',
      '/?s[]=a&p[x]=1',
      '/?s=a&s=b',
    ]
    for (const path of [...paths, ...more]) {
      const { status } = await get(path).set('Cookie', 'pentad_session=%00; wp-postpass=%ff')
      expect(status, path).to.be.oneOf([200, 301, 404])
    }
  })
})
