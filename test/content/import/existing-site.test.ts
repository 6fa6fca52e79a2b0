import { expect } from 'chai'
import { onEachDatabase } from '../../support/databases.ts'
import { openSite } from './open-site.ts'
import { wxrFile, wxrItem } from './wxr-file.ts'

onEachDatabase('importing into a site that is in use', (databaseUrl) => {
  it('imports menus: targets and parents of items refer to new ids', async () => {
    const site = await openSite(await databaseUrl())
    const { content } = site
    await content.posts.insert({ title: 'Mine', status: 'publish', id: 20 })
    await content.terms.insert('category', { name: 'Mine', id: 30 })
    const entry = (id: number, order: number, meta: Record<string, string>) =>
      wxrItem({
        ...{ id, type: 'nav_menu_item', title: '', slug: `${id}`, meta },
        more: '<category domain="nav_menu" nicename="main"><![CDATA[Main]]></category>',
      }).replace('<wp:menu_order>0<', `<wp:menu_order>${order}<`)
    const item = (type: string, object: string, id: number, above = 0) => ({
      ...{ _menu_item_type: type, _menu_item_object: object, _menu_item_object_id: `${id}` },
      ...{ _menu_item_menu_item_parent: `${above}`, _menu_item_classes: 'a:1:{i:0;s:3:"hot";}', _menu_item_url: '' },
    })
    const file = wxrFile([
      '<wp:term><wp:term_id>9</wp:term_id><wp:term_taxonomy>nav_menu</wp:term_taxonomy><wp:term_slug>main</wp:term_slug><wp:term_name>Main</wp:term_name></wp:term>',
      '<wp:category><wp:term_id>30</wp:term_id><wp:category_nicename>news</wp:category_nicename><wp:cat_name>News</wp:cat_name></wp:category>',
      entry(41, 2, item('taxonomy', 'category', 30, 40)),
      entry(42, 3, item('post_type', 'page', 77)),
      entry(40, 1, item('post_type', 'page', 20)),
      wxrItem({ id: 20, type: 'page', slug: 'team', title: 'Team' }),
    ])
    await site.import(file)
    const menu = await content.terms.getBySlug('nav_menu', 'main')
    await site.options.update('nav_menu_locations', { primary: menu?.id ?? 0 })
    const shown = await content.menus.at('primary')
    const told = shown?.map(({ item: { label, link, classes }, children }) => ({
      ...{ label, path: new URL(link).pathname, classes },
      below: children.map((child) => child.item.label),
    }))
    expect(told).to.deep.equal([{ label: 'Team', path: '/team/', classes: ['hot'], below: ['News'] }])

    const before = await site.dump()
    await site.import(file)
    expect(await site.dump()).to.deep.equal(before)
  })

  it('gives new ids and slugs where the old ones are taken, and mends what points to them', async () => {
    const site = await openSite(await databaseUrl())
    const { content } = site
    const own = await content.posts.insert({ type: 'page', status: 'publish', title: 'Team', id: 10 })
    await content.posts.insert({ title: 'Mine', status: 'publish', id: 11 })
    const file = wxrFile([
      wxrItem({ id: 12, type: 'page', slug: 'below', parent: 10 }),
      wxrItem({ id: 10, type: 'page', slug: 'team', meta: { _thumbnail_id: '11' } }),
      wxrItem({
        id: 11,
        type: 'attachment',
        status: 'inherit',
        slug: 'photo',
        meta: { _wp_attached_file: '2026/01/photo.jpg' },
      }),
    ])
    const report = await site.import(file)
    expect(report).to.deep.include({
      siteTakenOver: false,
      firstContentRemoved: false,
      missingFiles: ['2026/01/photo.jpg'],
    })
    expect(content.siteSettings().title).to.equal('My Pentad site')
    expect((await content.posts.getByPath('/hello-world/'))?.title).to.equal('Hello world!')
    expect((await content.posts.getByPath('/team/'))?.id).to.equal(own.id)

    const team = await content.posts.getByPath('/team-2/')
    const below = await content.posts.getByPath('/team-2/below/')
    const photo = await content.posts.getByPath('/photo/')
    expect(below).to.deep.include({ id: 12, parentId: team?.id, modified: '2026-01-02T03:04:05' })
    expect(await content.meta.get('post', team?.id ?? 0, '_thumbnail_id')).to.equal(String(photo?.id))
    expect(photo?.mimeType).to.equal('image/jpeg')

    const before = await site.dump()
    await site.import(file)
    expect(await site.dump()).to.deep.equal(before)
    await site.close()
  })

  it('knows a post of its own address that has the guid of another', async () => {
    const site = await openSite(await databaseUrl(), { url: 'http://old.example' })
    const { id, guid } = await site.content.posts.insert({ title: 'Mine', status: 'publish', id: 70 })
    expect(guid).to.equal('http://old.example/?p=70')
    await site.import(wxrFile([wxrItem({ id: 70, title: 'Theirs', slug: 'theirs' })]))
    expect((await site.content.posts.get(id))?.title).to.equal('Mine')
    expect((await site.content.posts.getByPath('/theirs/'))?.title).to.equal('Theirs')
    await site.close()
  })

  it('knows items and comments without guid and date again, and deletes nothing the second time', async () => {
    const site = await openSite(await databaseUrl())
    const bare = { guid: '', date: '' }
    const comment =
      '<wp:comment><wp:comment_author>A</wp:comment_author><wp:comment_content>c</wp:comment_content></wp:comment>'
    const file = wxrFile([
      // The ids of the texts that a new site begins with.
      wxrItem({ ...bare, id: 1, title: 'One', more: comment }),
      wxrItem({ ...bare, id: 2, type: 'page', slug: '', status: 'draft', title: 'Two' }),
      wxrItem({ ...bare, id: 0, title: 'Of no id', slug: '' }),
    ])
    const first = await site.import(file)
    expect([first.firstContentRemoved, first.posts.post?.added, first.comments.added]).to.deep.equal([true, 2, 1])
    const before = await site.dump()
    const second = await site.import(file)
    expect(second).to.deep.include({ firstContentRemoved: false, siteTakenOver: false })
    expect(await site.dump()).to.deep.equal(before)
    await site.close()

    const small = await openSite(await databaseUrl())
    const two = wxrFile([wxrItem({ id: 1 }), wxrItem({ id: 2, type: 'page' })])
    await small.import(two)
    await small.content.meta.set('post', 1, 'mine', 'of this site')
    expect((await small.import(two)).firstContentRemoved).to.equal(false)
    expect(await small.content.meta.get('post', 1, 'mine')).to.equal('of this site')
    await small.close()
  })

  it('knows again what another WordPress gave new guids and attributes of links when it imported it', async () => {
    const site = await openSite(await databaseUrl())
    const file = { _wp_attached_file: '2026/01/bread.jpg' }
    const exported = (picture: string, link: string) =>
      wxrFile([
        wxrItem({ id: 70, type: 'attachment', status: 'inherit', slug: 'bread', guid: picture, meta: file }),
        // The translation of a picture has the same file and date.
        wxrItem({ id: 71, type: 'attachment', status: 'inherit', slug: 'bread-2', guid: `${picture}?2`, meta: file }),
        wxrItem({
          ...{ id: 72, meta: { _thumbnail_id: '71' } },
          more: `<wp:comment><wp:comment_author>A</wp:comment_author><wp:comment_date>2026-01-01 00:00:00</wp:comment_date>
            <wp:comment_content><![CDATA[<a href="https://a.example/"${link}>a</a>]]></wp:comment_content>
            <wp:comment_approved>1</wp:comment_approved></wp:comment>`,
        }),
      ])
    await site.import(exported('http://old.example/?attachment_id=70', ''))
    const before = await site.dump()
    const back = exported('http://other.example/up/bread.jpg', ' rel="nofollow ugc"')
    const report = await site.import(back)
    expect(report.posts.attachment).to.deep.equal({ added: 0, existing: 2 })
    expect(report.comments).to.deep.equal({ added: 0, existing: 1 })
    expect(await site.dump()).to.deep.equal(before)
    await site.close()
  })

  it('makes users of authors, or takes those that are the same person', async () => {
    const site = await openSite(await databaseUrl())
    const ann = await site.auth.users.create({ login: 'ann', email: 'ann@example.org' })
    const author = (id: number, login: string, email: string) =>
      `<wp:author><wp:author_id>${id}</wp:author_id><wp:author_login>${login}</wp:author_login><wp:author_email>${email}</wp:author_email></wp:author>`
    const other = author(3, 'bo', 'bo@example.org').replaceAll('wp:author>', 'wp:wp_author>')
    const report = await site.import(
      wxrFile([
        ...[author(1, 'ann-old', 'ANN@example.org'), author(2, 'Jörg Müller', 'no address'), other],
        ...[wxrItem({ id: 51, author: 'ann-old' }), wxrItem({ id: 52, author: 'Jörg Müller' })],
        ...[wxrItem({ id: 53, author: 'unannounced' }), wxrItem({ id: 54, author: '' })],
      ]),
    )
    expect(report.users).to.deep.equal({ added: 3, existing: 1 })
    const posts = await site.content.posts.getMany([51, 52, 53, 54])
    const users = await site.auth.users.getMany([...posts.values()].map(({ authorId }) => authorId))
    const logins = [...posts.values()].map(({ authorId }) => users.get(authorId)?.login)
    expect(logins).to.deep.equal(['ann', 'J-rg M-ller', 'unannounced', 'admin'])
    expect(posts.get(51)?.authorId).to.equal(ann.id)
    await site.close()
  })

  it('imports unregistered types and taxonomies, and omits data that only an editor needs', async () => {
    const site = await openSite(await databaseUrl())
    const category =
      '<category domain="shelf" nicename="top"><![CDATA[Top &amp; shelf]]></category><category>ignored</category>'
    await site.import(
      wxrFile([
        `<wp:term><wp:term_id>80</wp:term_id><wp:term_taxonomy>shelf</wp:term_taxonomy><wp:term_slug>low</wp:term_slug>
          <wp:term_parent>top</wp:term_parent><wp:term_name>Low</wp:term_name>
          <wp:termmeta><wp:meta_key>color</wp:meta_key><wp:meta_value>red</wp:meta_value></wp:termmeta></wp:term>`,
        wxrItem({ id: 60, type: 'book', meta: { _edit_lock: '1', isbn: '1', nothing: 'N;' }, more: category }),
        wxrItem({ id: 61, status: 'auto-draft' }),
      ]),
    )
    const book = await site.content.posts.get(60)
    expect(book).to.deep.include({ type: 'book', status: 'publish', path: '' })
    expect((await site.content.meta.of('post', [60])).get(60)).to.deep.equal({ isbn: ['1'], nothing: [null] })
    const [shelf] = (await site.content.terms.ofPosts([60])).get(60)?.shelf ?? []
    expect(await site.content.terms.get(shelf ?? 0)).to.deep.include({ name: 'Top &amp; shelf', slug: 'top', path: '' })
    expect(await site.content.terms.get(80)).to.deep.include({ parentId: shelf })
    expect(await site.content.meta.get('term', 80, 'color')).to.equal('red')
    expect(await site.content.posts.get(61)).to.equal(undefined)
    await site.close()
  })
})
