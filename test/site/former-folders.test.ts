import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import request from 'supertest'
import { importWxr } from '../../cms/content/import/index.ts'
import { createLog } from '../../core/log.ts'
import { WXR_HEAD, wxrFile, wxrItem } from '../content/import/wxr-file.ts'
import { onEachDatabase } from '../support/databases.ts'
import { type SiteUnderTest, startSite } from './site-under-test.ts'

const terms = ['category" nicename="news', 'category" nicename="2019', 'post_tag" nicename="tt']
  .map((name) => `<category domain="${name}">Name</category>`)
  .join('')

onEachDatabase('a site that lay in folders', (databaseUrl) => {
  let site: SiteUnderTest

  /** Imports a site that lay in a folder; the paths are those below it. */
  async function importFrom(folder: string, items: readonly [path: string, id: number, type: string, slug: string][]) {
    const home = `https://old.example${folder}`
    const elements = items.map(([path, id, type, slug]) => {
      const file = type === 'attachment' ? `<wp:attachment_url>${home}/core/wp-content/uploads/2021/01/${slug}.jpg` : ''
      return wxrItem({
        ...{ id, type, slug, guid: `${home}/?p=${id}`, date: '2020-01-17 03:04:05' },
        more: `<link>${home}${path}</link>${terms}${file && `${file}</wp:attachment_url>`}`,
      })
    })
    const { content, auth, options, database, hooks, config } = site
    const head = WXR_HEAD.replaceAll('http://old.example', home)
    const parts = { content, users: auth.users, options, database, hooks, config, log: createLog('silent') }
    return importWxr({ ...parts, files: [wxrFile(elements, head)] })
  }

  async function targetOf(path: string): Promise<string> {
    const { status, headers } = await request(site.http).get(path)
    return `${status} ${headers.location ?? ''}`.trim()
  }

  before(async () => {
    site = await startSite({ databaseUrl: await databaseUrl() })
    const report = await importFrom('/Sub/wp', [
      ['/blog/hello/', 11, 'post', 'hello'],
      ['/blog/second/', 12, 'post', 'second'],
      ['/blog/third/', 13, 'post', 'third'],
      ['/blog/category/', 14, 'post', 'category'],
      ['/', 15, 'page', 'welcome'],
      ['/about/', 16, 'page', 'about'],
      ...[21, 22, 23].map((id): [string, number, string, string] => [`/photo-${id}/`, id, 'attachment', `photo-${id}`]),
    ])
    expect(report.permalinkStructure).to.equal('/blog/%postname%/')
    expect(report.addresses.lost).to.deep.equal([])
    mkdirSync(join(site.config.siteDir, 'uploads/2021/01'), { recursive: true })
    writeFileSync(join(site.config.siteDir, 'uploads/2021/01/photo-21.jpg'), 'x')
  })
  after(() => site.close())

  const targets: Record<string, string> = {
    '/Sub/wp/blog/hello/': '/blog/hello/',
    '/sub/wp/blog/hello': '/blog/hello/',
    '/Sub/wp/': '/',
    '/Sub/wp': '/',
    '/Sub/wp/about/?ref=mail': '/about/?ref=mail',
    '/Sub/wp/blog/category/news/': '/blog/category/news/',
    '/Sub/wp/blog/category/news/feed/?ref=mail': '/blog/category/news/feed/?ref=mail',
    // Not a page of the post that is called “category”.
    '/Sub/wp/blog/category/2019/': '/blog/category/2019/',
    '/Sub/wp/blog/category/': '/blog/category/',
    '/Sub/wp/blog/tag/tt/': '/blog/tag/tt/',
    '/Sub/wp/blog/author/admin/': '/blog/author/admin/',
    '/Sub/wp/blog/2020/01/': '/blog/2020/01/',
    '/Sub/wp/feed/': '/feed/',
    '/Sub/wp/comments/feed/': '/comments/feed/',
    '/Sub/wp/?p=11': '/blog/hello/',
    '/Sub/wp/?s=words': '/?s=words',
    '/Sub/wp/wp-content/uploads/2021/01/photo-21.jpg': '/wp-content/uploads/2021/01/photo-21.jpg',
    // WordPress itself, and so its files, were in a folder below the site.
    '/Sub/wp/core/wp-content/uploads/2021/01/photo-21.jpg?x=1': '/wp-content/uploads/2021/01/photo-21.jpg?x=1',
    '/Sub/wp/wp-sitemap.xml': '/wp-sitemap.xml',
    '/Sub/wp/sitemap.xml': '/wp-sitemap.xml',
  }
  for (const [path, target] of Object.entries(targets)) {
    it(`${path} leads to ${target}`, async () => {
      expect(await targetOf(path)).to.equal(`301 ${target}`)
      expect(await targetOf(target)).to.match(/^(200|302)/)
    })
  }

  it('redirects to the addresses that every site has, with the query', async () => {
    expect(await targetOf('/Sub/wp/core/wp-login.php')).to.equal('301 /wp-login.php')
    expect(await targetOf('/Sub/wp/wp-json/wp/v2/posts?page=2')).to.equal('301 /wp-json/wp/v2/posts?page=2')
  })

  it('does not redirect to missing pages', async () => {
    for (const path of [
      ...['/Sub/wp/nothing/', '/Sub/wp/blog/category/none/', '/Sub/wp/wp-content/uploads/2021/01/none.jpg'],
      ...['/Sub/wp/Sub/wp/nothing/', '/Sub/blog/category/news/', '/Subwp/blog/category/news/'],
      ...['/Sub/wp/wp-content/uploads/../../package.json', '/Sub/wp/%2F%2Fevil.example/', '/Sub/wp//evil.example/'],
    ])
      expect(await targetOf(path), path).to.equal('404')
  })

  it('does not go in circles', async () => {
    expect(await targetOf('/Sub/wp/Sub/wp/blog/category/news/')).to.equal('404')
  })

  it('leaves a page of this site where it is', async () => {
    const sub = await site.content.posts.insert({ type: 'page', title: 'Sub', slug: 'sub', status: 'publish' })
    const below = { type: 'page', title: 'WP', slug: 'wp', status: 'publish', parentId: sub.id }
    const { id, path } = await site.content.posts.insert(below)
    expect(path).to.equal('/sub/wp/')
    expect(await targetOf('/sub/wp/')).to.equal('200')
    expect(await targetOf('/sub/wp/blog/category/news/')).to.equal('301 /blog/category/news/')
    await site.content.posts.delete(id)
    expect(await targetOf('/sub/wp/')).to.equal('301 /')
  })
})
