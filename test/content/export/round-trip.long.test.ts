import { join } from 'node:path'
import { expect } from 'chai'
import { openExport } from '../../../cms/content/import/export-files.ts'
import { readExports } from '../../../cms/content/import/read-elements.ts'
import { readRecord, type WxrMeta } from '../../../cms/content/import/wxr.ts'
import type { Content, NewPost } from '../../../cms/content/types.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { type OpenSite, openSite } from '../import/open-site.ts'
import { textFile } from '../import/wxr-file.ts'
import { exportFile, exportText } from './export-site.ts'

const FIXTURE = join(import.meta.dirname, '../../fixtures/wordpress-export.xml')
const HERE = 'http://127.0.0.1:8080'
const THERE = 'https://there.example'

/** The elements of an export; comments, which get other ids, with the text that they answer. */
async function elementsOf(file: string, address: string): Promise<unknown[]> {
  const elements: unknown[] = []
  const byKey = (meta: readonly WxrMeta[]) => meta.toSorted((one, other) => (one.key < other.key ? -1 : 1))
  for await (const { element } of readExports(await openExport(file))) {
    const record = readRecord(element)
    if (record?.kind !== 'item') {
      if (element.name !== 'pubDate') elements.push(record)
      continue
    }
    const { comments, meta, line, ...item } = record.item
    const textOf = (id: number) => comments.find((comment) => comment.id === id)?.content ?? ''
    const conversation = comments.map(({ id, parent, ...comment }) => ({ ...comment, answers: textOf(parent) }))
    const sorted = conversation.sort((one, other) => (one.content < other.content ? -1 : 1))
    // A guid stays, whatever the address.
    elements.push({ ...item, guid: item.guid.replace(HERE, 'THE FIRST SITE'), meta: byKey(meta), comments: sorted })
  }
  return JSON.parse(JSON.stringify(elements).replaceAll(address, 'SITE'))
}

/** A site with everything that an export has to carry, in an order that no importer would choose. */
async function writeSite({ content: written, auth }: OpenSite): Promise<void> {
  const posts = { ...written.posts, insert: (post: NewPost) => written.posts.insert({ authorId: 1, ...post }) }
  const content = { ...written, posts }
  await content.updateSiteSettings({ timezone: 'Europe/Berlin', permalinkStructure: '/%year%/%postname%/' })
  const carla = await auth.users.create({ login: 'carla', email: 'carla@example.org', roles: ['editor'] })
  const reader = await auth.users.create({ login: 'reader', displayName: 'A & B <Reader>', roles: ['subscriber'] })

  const child = await content.terms.insert('category', { name: 'Käse & Wein', slug: 'kaese', meta: { rank: [1] } })
  const parent = await content.terms.insert('category', { name: 'Essen', description: 'Was es gibt\r\n]]>' })
  await content.terms.update(child.id, { parentId: parent.id })
  const tag = await content.terms.insert('post_tag', { name: '東京', description: '<b>bold</b>' })
  const genre = await content.terms.insert('genre', { name: 'Crime' })
  const menu = await content.terms.insert('nav_menu', { name: 'Main' })

  const image = await content.posts.insert({
    ...{ type: 'attachment', status: 'inherit', title: 'Map', mimeType: 'image/png', authorId: carla.id },
    meta: {
      _wp_attached_file: ['2026/01/map.png'],
      _wp_attachment_metadata: [{ width: 3, height: 2, file: '2026/01/map.png', sizes: {}, image_meta: { iso: '0' } }],
      _wp_attachment_image_alt: ['A map'],
    },
  })
  const below = await page(content, { title: 'Team', slug: 'team', template: 'wide' })
  const above = await page(content, { title: 'About', slug: 'about', menuOrder: 3, sticky: true })
  await content.posts.update(below.id, { parentId: above.id })
  const post = await content.posts.insert({
    ...{
      title: ' “Ü” ]]> & <em>x</em> 🧀',
      status: 'publish',
      slug: '東京-post',
      authorId: carla.id,
      password: 'p <&> w',
    },
    content: `Line\r\nnext]]>\u0007 ${HERE}/2026/other/ <img src="${HERE}/wp-content/uploads/2026/01/map.png">`,
    excerpt: ']]>]]>',
    ...{ date: '2026-03-01T23:30:00', sticky: true, pingStatus: 'closed', commentStatus: 'open' },
    terms: { category: [child.id, parent.id], post_tag: [tag.id], genre: [genre.id] },
    meta: {
      _thumbnail_id: [String(image.id)],
      several: ['one', 'two', 'one'],
      values: [7, 0.5, true, false, null, 'text', ['a', 'b'], { a: { 5: [1, { deep: 'ä]]>\r\n' }] } }],
      serialized: ['a:1:{i:0;s:1:"x";}', 'O:8:"stdClass":0:{}', 'i:5;', 's:1:"x";', '5'],
      _wp_old_slug: ['an-older-slug'],
      _edit_lock: ['1:1'],
    },
  })
  await content.posts.insert({ title: 'Later', status: 'future', date: '2090-01-02T03:04:05' })
  await content.posts.insert({ title: 'Floating', status: 'draft' })
  await content.posts.insert({ title: 'Dated draft', status: 'draft', date: '2026-02-02T10:00:00' })
  await content.posts.insert({ title: 'Private', status: 'private', authorId: carla.id })
  await content.posts.insert({ type: 'wp_block', title: 'Pattern', status: 'publish', content: '<!-- wp:x /-->' })
  const trashed = await content.posts.insert({ title: 'Bin', status: 'publish' })
  await content.posts.update(trashed.id, { status: 'trash' })

  const item = (title: string, meta: Record<string, string>, menuOrder: number) =>
    content.posts.insert({
      ...{ type: 'nav_menu_item', status: 'publish', title, menuOrder, terms: { nav_menu: [menu.id] } },
      meta: Object.fromEntries(Object.entries(meta).map(([key, value]) => [`_menu_item_${key}`, [value]])),
    })
  const second = await item('', { type: 'taxonomy', object: 'category', object_id: String(parent.id) }, 2)
  await item(
    'Us',
    { type: 'post_type', object: 'page', object_id: String(above.id), menu_item_parent: String(second.id) },
    1,
  )
  await item('Out', { type: 'custom', url: 'https://example.com/?a=1&b=2', menu_item_parent: '0' }, 3)

  const comment = (text: string, more: Partial<Parameters<Content['comments']['insert']>[0]> = {}) =>
    content.comments.insert({
      ...{ postId: post.id, parentId: 0, userId: 0, authorName: 'Ann', authorEmail: 'ann@example.org', authorUrl: '' },
      ...{ authorAddress: '203.0.113.7', userAgent: '', content: text, status: 'approved', type: 'comment' },
      ...{ date: '2026-03-02T10:00:00', dateGmt: '2026-03-02T09:00:00' },
      ...more,
    })
  const first = await comment('First ]]> <b>\r\n', { meta: { rating: [5], note: ['x'] } })
  const answer = await comment('Answer', { parentId: first.id, userId: reader.id, authorName: 'reader' })
  await comment('Deeper', { parentId: answer.id, status: 'hold' })
  await comment('Gone', { status: 'trash' })
  await comment('Ping', { type: 'pingback', authorUrl: 'https://example.com/?a=1&b=2' })
  await comment('Buy', { status: 'spam' })
}

const page = (content: Content, fields: NewPost) => content.posts.insert({ type: 'page', status: 'publish', ...fields })

onEachDatabase('a site that is exported and imported again', (databaseUrl) => {
  it('is the same as the one that was imported from WordPress, and a second import changes nothing', async () => {
    const [from, to] = [await openSite(await databaseUrl()), await openSite(await databaseUrl())]
    await from.import(FIXTURE)
    const file = await exportFile(from)
    const report = await to.import(file)
    expect(report.warnings).to.deep.equal([])
    expect(report.addresses.lost).to.deep.equal([])
    const there = await to.dump()
    expect(there).to.deep.equal(await from.dump())

    const second = await to.import(file)
    expect(Object.values(second.posts).map(({ added }) => added)).to.deep.equal([0, 0, 0])
    expect(await to.dump()).to.deep.equal(there)
    await from.close()
    await to.close()
  })

  it('has addresses of media as WordPress writes them, and takes them encoded too', async () => {
    const from = await openSite(await databaseUrl(), { url: HERE })
    const [name, encoded] = ['grün-日本 50%.png', 'gr%C3%BCn-%E6%97%A5%E6%9C%AC%2050%25.png']
    const folder = `${HERE}/wp-content/uploads/2026/01`
    await from.content.posts.insert({
      ...{ type: 'attachment', status: 'inherit', title: 'Map', mimeType: 'image/png', authorId: 1 },
      meta: { _wp_attached_file: [`2026/01/${name}`] },
    })
    const content = `<img src="${folder}/${encoded}">`
    await from.content.posts.insert({ title: 'Seen', slug: 'seen', status: 'publish', authorId: 1, content })
    const xml = await exportText(from)
    await from.close()
    const address = `<wp:attachment_url><![CDATA[${folder}/grün-日本%2050%25.png]]></wp:attachment_url>`
    expect(xml).to.contain(address)
    // Elsewhere only the address tells which file it is.
    const moved = xml
      .replace(/<wp:postmeta>\s*<wp:meta_key><!\[CDATA\[_wp_attached_file[\s\S]*?<\/wp:postmeta>/, '')
      .replaceAll(folder, 'https://cdn.example/bucket')
    for (const text of [moved, moved.replace('bucket/grün-日本%2050%25.png]', `bucket/${encoded}]`)]) {
      const to = await openSite(await databaseUrl(), { url: THERE })
      await to.import(textFile(text))
      const [seen] = (await to.content.posts.query({ types: ['post'], slugs: ['seen'] })).items
      expect(seen?.content).to.match(new RegExp(`^<img src="${THERE}/wp-content/uploads/\\d{4}/\\d\\d/${encoded}">$`))
      await to.close()
    }
  })

  it('keeps whatever a site can hold, under another address', async () => {
    const from = await openSite(await databaseUrl(), { url: HERE })
    const to = await openSite(await databaseUrl(), { url: THERE })
    await from.content.updateSiteSettings({ title: 'Here & <there>', description: 'Tag "line"', language: 'de_DE' })
    await writeSite(from)
    const file = await exportFile(from)
    // What an export does not tell.
    await to.content.updateSiteSettings({ permalinkStructure: '/%year%/%postname%/' })
    const report = await to.import(file)
    expect(report.warnings).to.deep.equal([])

    expect(await elementsOf(await exportFile(to), THERE)).to.deep.equal(await elementsOf(file, HERE))
    expect((await to.auth.users.getByLogin('reader'))?.roles).to.deep.equal(['subscriber'])
    expect((await to.auth.users.getByLogin('carla'))?.roles).to.deep.equal(['author'])

    const there = await to.dump()
    await to.import(file)
    expect(await to.dump()).to.deep.equal(there)
    await from.close()
    await to.close()
  })
})
