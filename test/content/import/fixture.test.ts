import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { describeImport, type ImportProgress, type ImportReport } from '../../../cms/content/import/index.ts'
import type { Post } from '../../../cms/content/types.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { temporaryFolder } from '../../support/site-folder.ts'
import { type OpenSite, openSite } from './open-site.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures')
const EXPORT = join(FIXTURES, 'wordpress-export.xml')

onEachDatabase('importing a real WordPress export', (databaseUrl) => {
  let site: OpenSite
  let report: ImportReport
  let foretold: ImportReport
  let unpacked: string
  const progress: ImportProgress[] = []

  before(async () => {
    unpacked = temporaryFolder()
    execFileSync('tar', ['-xzf', join(FIXTURES, 'wordpress-uploads.tar.gz'), '-C', unpacked])
    site = await openSite(await databaseUrl())
    const rows = await site.dump()
    foretold = await site.import(EXPORT, join(unpacked, 'uploads'), undefined, undefined, true)
    expect(await site.dump(), 'a dry run changes nothing').to.deep.equal(rows)
    report = await site.import(EXPORT, join(unpacked, 'uploads'), (step) => progress.push(step))
  })
  after(() => site.close())

  const at = async (path: string): Promise<Post> => {
    const post = await site.content.posts.getByPath(path)
    if (!post) throw new Error(`There is nothing at ${path}.`)
    return post
  }

  it('reports what it added', () => {
    expect(report).to.deep.include({
      source: { title: 'Oracle Gazette', url: 'http://127.0.0.1:8090', version: '1.2' },
      siteTakenOver: true,
      firstContentRemoved: true,
      users: { added: 2, existing: 1 },
      terms: { added: 12, existing: 0 },
      posts: {
        page: { added: 12, existing: 0 },
        attachment: { added: 5, existing: 0 },
        post: { added: 51, existing: 0 },
      },
      comments: { added: 21, existing: 0 },
      files: { copied: 25, kept: 0, downloaded: 0, resized: 0, refused: [] },
      missingFiles: [],
      warnings: [],
    })
    expect(describeImport(report)).to.match(/^Oracle Gazette, http:\/\/127\.0\.0\.1:8090\n/)
  })

  it('is foretold by a dry run, and another one says that nothing is left', async () => {
    // Addresses are only known once everything is there.
    const addresses = { kept: 0, redirected: 0, lost: [] }
    expect(foretold).to.deep.equal({ ...report, dryRun: true, addresses })
    expect(describeImport(foretold)).to.match(/^Dry run: nothing was changed\./)
    const again = await site.import(EXPORT, join(unpacked, 'uploads'), undefined, undefined, true)
    const added = [again.users, again.terms, again.comments, ...Object.values(again.posts)].map((tally) => tally.added)
    expect([...added, again.files.copied].filter((count) => count > 0)).to.deep.equal([])
    expect(again.posts.post).to.deep.equal({ added: 0, existing: 51 })
  })

  it('reports its progress', () => {
    const read = progress.filter(({ phase }) => phase === 'read')
    expect(read.length).to.be.greaterThan(80)
    expect(read.at(-1)).to.deep.include({ message: '51 posts, 12 pages, 5 attachments, 21 comments' })
    expect(progress.at(-1)).to.deep.include({ phase: 'files', percent: 100 })
    // Half of the items, half of the phase: not what was read of the file, which comes in large pieces.
    const [half] = read.filter(({ message }) => message.startsWith('25 posts'))
    expect(half?.percent).to.be.within(30, 60)
    expect(progress.map(({ percent }) => percent)).to.deep.equal(
      progress.map(({ percent }) => percent).toSorted((one, other) => one - other),
    )
  })

  it('takes over title and tagline, and the first texts make room for the old ids', async () => {
    expect(site.content.siteSettings()).to.deep.include({
      ...{
        title: 'Oracle Gazette',
        description: 'News from nowhere in particular',
        language: 'en_US',
        defaultCategory: 1,
      },
    })
    expect((await at('/hello-world/')).id).to.equal(1)
    expect((await at('/sample-page/')).id).to.equal(2)
  })

  it('has every post and page under its old address, by status', async () => {
    const { posts } = site.content
    expect((await posts.query({})).total).to.equal(49)
    expect((await posts.query({ types: ['page'] })).total).to.equal(11)
    expect((await posts.query({ types: ['attachment'], statuses: ['inherit'] })).total).to.equal(5)
    const hidden = await posts.query({
      types: ['post', 'page'],
      statuses: ['draft', 'private'],
      orderBy: 'id',
      order: 'asc',
    })
    expect(hidden.items.map(({ id, status }) => [id, status])).to.deep.equal([
      [3, 'draft'],
      [57, 'draft'],
      [58, 'private'],
    ])
    const links = [...readFileSync(EXPORT, 'utf8').matchAll(/<link>http:\/\/127\.0\.0\.1:8090(\/[^?<]+\/)<\/link>/g)]
    expect(links).to.have.length(65)
    for (const [, path = ''] of links) expect((await at(path)).path).to.equal(path)
  })

  it('keeps pages below their parents, sticky and protected posts, dates and guids', async () => {
    const team = await at('/about/team/')
    expect([team.id, team.parentId, team.menuOrder]).to.deep.equal([61, 60, 1])
    const sticky = (await site.content.posts.query({ sticky: true })).items
    expect(sticky.map(({ id, title }) => [id, title.slice(0, 14)])).to.deep.equal([[12, 'Über Dispatch ']])
    const [secret, ...others] = (await site.content.posts.query({ hasPassword: true })).items
    expect(others).to.deep.equal([])
    expect(secret).to.deep.include({
      id: 49,
      password: 'secret',
      modified: '2026-11-21T05:59:36',
      date: '2026-07-20T08:00:00',
    })
    expect((await site.content.posts.get(60))?.guid).to.match(/^http:\/\/127\.0\.0\.1:8090\//)
  })

  it('has authors as users without a password', async () => {
    const ed = await site.auth.users.getByLogin('ed')
    expect(ed).to.deep.include({ email: 'ed@example.org', displayName: 'Ed Müller', roles: ['author'] })
    expect(await site.auth.users.checkPassword('ed', '')).to.equal(undefined)
    expect((await site.content.posts.query({ authors: [ed?.id ?? 0] })).total).to.equal(16)
  })

  it('has categories in categories and tags of any script, counted', async () => {
    const georgia = await site.content.terms.getBySlug('category', 'georgia')
    expect(georgia).to.deep.include({
      id: 4,
      count: 10,
      description: 'Tbilisi &amp; beyond',
      path: '/category/travel/europe/georgia/',
    })
    expect(await site.content.terms.getBySlug('post_tag', '%e6%97%a5%e6%9c%ac')).to.deep.include({
      id: 11,
      name: '日本',
      count: 16,
    })
    const { total } = await site.content.posts.query({ terms: { category: { ids: [2], withChildren: true } } })
    expect(total).to.equal(30)
  })

  it('has comments with their status, and counts the approved ones', async () => {
    const dispatch = await site.content.posts.get(9)
    expect(dispatch?.commentCount).to.equal(1)
    expect(await site.content.comments.allOfPost(9)).to.have.length(2)
    const [comment] = await site.content.comments.ofPost(9)
    expect(comment).to.deep.include({
      ...{ authorName: 'Reader 1', authorEmail: 'reader1@example.net', status: 'approved', type: 'comment' },
      ...{ content: 'I was <em>there</em> too & it rained.', date: '2026-02-02T10:00:00' },
    })
  })

  it('has meta, with PHP’s arrays as JSON', async () => {
    const meta = (await site.content.meta.of('post', [4, 9])).get(9)
    expect(meta?._yoast_wpseo_title).to.deep.equal(['Yoast title 0 %%sep%% %%sitename%%'])
    expect(meta?._thumbnail_id).to.deep.equal(['4'])
    expect(await site.content.meta.get('post', 4, '_wp_attachment_metadata')).to.deep.include({
      width: 1600,
      height: 900,
    })
  })

  it('has images with all their sizes', async () => {
    const map = await site.content.posts.get(4)
    const details = (await site.content.media.details(map ? [map] : [])).get(4)
    expect(details).to.deep.include({ alt: 'Picture map.png', width: 1600, height: 900, filesize: 29976 })
    expect(Object.keys(details?.sizes ?? {})).to.deep.equal([
      'medium',
      'large',
      'thumbnail',
      'medium_large',
      '1536x1536',
      'full',
    ])
    for (const { file } of Object.values(details?.sizes ?? {}))
      expect(existsSync(join(site.siteDir, 'uploads/2026/01', file)), file).to.equal(true)
  })

  it('finds what WordPress’s own search found', async () => {
    const { total } = await site.content.posts.query({
      types: ['post', 'page'],
      search: 'espresso',
      hasPassword: false,
    })
    expect(total).to.equal(42)
  })

  it('has no address of the old site left but in guids', async () => {
    const rows = await site.database.db.selectFrom('posts').select(['content', 'excerpt', 'title']).execute()
    const texts = rows.map((row) => row.content + row.excerpt + row.title).join()
    expect(texts).to.not.include('127.0.0.1:8090')
    expect(texts).to.include('src="http://127.0.0.1:8080/wp-content/uploads/2026/01/map.png"')
    expect(texts).to.include('Our website address is: http://127.0.0.1:8080.</p>')
  })

  it('adds and changes nothing when it is imported again', async () => {
    const before = await site.dump()
    let fired = 0
    const undo = site.hooks.addAction('save_post', () => void fired++)
    const again = await site.import(EXPORT, unpacked)
    undo()
    expect(await site.dump()).to.deep.equal(before)
    expect(fired).to.equal(0)
    expect(again.posts).to.deep.equal({
      page: { added: 0, existing: 12 },
      attachment: { added: 0, existing: 5 },
      post: { added: 0, existing: 51 },
    })
    expect(again).to.deep.include({ users: { added: 0, existing: 3 }, terms: { added: 0, existing: 12 } })
    expect([again.comments.added, again.files.copied, again.files.kept]).to.deep.equal([0, 0, 25])
  })

  it('does not overwrite posts that were changed after the import', async () => {
    await site.content.posts.update(60, { title: 'About us', slug: 'about-us' })
    await site.content.updateSiteSettings({ title: 'Renamed' })
    await site.import(EXPORT)
    expect((await site.content.posts.get(61))?.path).to.equal('/about-us/team/')
    expect((await site.content.posts.get(60))?.title).to.equal('About us')
    expect(site.content.siteSettings().title).to.equal('Renamed')
  })
})
