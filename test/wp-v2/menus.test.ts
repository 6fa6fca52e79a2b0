import { expect } from 'chai'
import { onEachDatabase } from '../support/databases.ts'
import { useOwnSite } from './own-site.ts'

onEachDatabase('wp/v2 menus', (databaseUrl) => {
  const site = useOwnSite(databaseUrl)
  let admin: string
  let menu: number
  let page: number
  before(async () => {
    admin = await site.signIn('admin', 'administrator')
    page = await idOf('POST /wp/v2/pages', { title: 'Our team', status: 'publish', slug: 'team' })
    menu = await idOf('POST /wp/v2/menus', { name: 'Main', locations: ['primary'] })
  })

  async function idOf(route: string, body: object): Promise<number> {
    const { status, item } = await site.ask(route, body, admin)
    expect(status).to.equal(201)
    return Number(item.id)
  }
  const add = (item: object) => idOf('POST /wp/v2/menu-items', { menus: menu, ...item })
  const outcome = (route: string, body?: object) => site.outcome(route, body, admin)
  /** The navigation of the public page. */
  async function navigation(path = '/'): Promise<string> {
    const html = await (await fetch(site.url + path)).text()
    return (/<nav class="site-nav"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? '').replace(/\s+/g, ' ')
  }

  it('shows a menu in WordPress’s shape, without what is of terms only', async () => {
    const { item } = await site.ask(`GET /wp/v2/menus/${menu}`, undefined, admin)
    expect(item).to.include({ id: menu, name: 'Main', slug: 'main', description: '', auto_add: false })
    expect(item).to.deep.include({ locations: ['primary'], meta: [] })
    expect(item).not.to.have.any.keys('count', 'link', 'taxonomy')
  })

  it('shows nothing for a menu without entries, as WordPress does', async () => {
    expect(await navigation()).not.to.contain('<li')
  })

  it('puts a menu with an entry below another on the public page', async () => {
    const top = await add({ title: 'Elsewhere', url: 'https://example.org/?a=1&b=2', target: '_blank', classes: 'hot' })
    const below = await add({ type: 'post_type', object: 'page', object_id: page, parent: top })
    const html = await navigation('/team/')
    expect(html).to.contain('href="https://example.org/?a=1&amp;b=2"').and.contain('target="_blank" rel="noopener"')
    expect(html).to.match(
      /<li class="[^"]*hot"><a[^>]*>Elsewhere<\/a> <ul> <li[^>]*><a href="\/team\/" aria-current="page">Our team<\/a>/,
    )
    const { item } = await site.ask(`GET /wp/v2/menu-items/${below}?context=edit`, undefined, admin)
    expect(item).to.include({
      type: 'post_type',
      object: 'page',
      object_id: page,
      parent: top,
      menu_order: 2,
      menus: menu,
    })
    expect(item).to.deep.include({ title: { raw: '', rendered: 'Our team' }, classes: [''], xfn: [''], invalid: false })
    expect(item).to.include({ url: `${site.url}/team/`, type_label: 'Page', status: 'publish' })
  })

  it('orders entries, moves those below a deleted one up, and answers them in their order', async () => {
    const one = await add({ title: 'One', url: '/one/' })
    const two = await add({ title: 'Two', url: '/two/', parent: one })
    await outcome(`POST /wp/v2/menu-items/${two}`, { menu_order: 1 })
    const { body, headers } = await site.ask(`GET /wp/v2/menu-items?menus=${menu}`, undefined, admin)
    expect(headers.get('x-wp-total')).to.equal('4')
    expect(JSON.stringify(body)).to.match(/"rendered":"(Elsewhere|Two)".*"rendered":"One"/)
    expect(await outcome(`DELETE /wp/v2/menu-items/${one}`)).to.equal('501 rest_trash_not_supported')
    expect(await outcome(`DELETE /wp/v2/menu-items/${one}?force=true`)).to.equal('200')
    expect((await site.ask(`GET /wp/v2/menu-items/${two}`, undefined, admin)).item.parent).to.equal(0)
    expect(await navigation()).to.contain('href="/two/"')
  })

  it('refuses addresses that would run something, also in disguise', async () => {
    for (const url of [
      'javascript:alert(1)',
      ' JaVaScRiPt:alert(1)',
      'java\nscript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
    ])
      expect(await outcome('POST /wp/v2/menu-items', { menus: menu, title: 'x', url })).to.equal('400 rest_invalid_url')
    const id = await add({ title: '<b>Bold</b>', url: '#top' })
    expect(await outcome(`POST /wp/v2/menu-items/${id}`, { url: 'javascript:alert(1)' })).to.equal(
      '400 rest_invalid_url',
    )
    // What came in by another way, as an import, is left out.
    await site.host.content.meta.set('post', id, '_menu_item_url', 'java\tscript:alert(1)')
    expect(await navigation())
      .not.to.contain('Bold')
      .and.not.to.contain('script:')
  })

  it('refuses what is no URL, but takes paths, anchors, and addresses for mail and phone', async () => {
    for (const url of ['not a url', 'example.com', 'https://not a host/'])
      expect(await outcome('POST /wp/v2/menu-items', { menus: menu, title: 'x', url }), url).to.equal(
        '400 rest_invalid_url',
      )
    for (const url of ['/about', '?s=x', '#top', 'mailto:ada@example.org', 'tel:+49 30 1234']) {
      const id = await add({ title: 'Accepted', url })
      expect(await outcome(`DELETE /wp/v2/menu-items/${id}?force=true`), url).to.match(/^200/)
    }
    // An imported item can still be renamed.
    const id = await add({ title: 'Old', url: '/old/' })
    await site.host.content.meta.set('post', id, '_menu_item_url', 'old.html')
    expect(await outcome(`POST /wp/v2/menu-items/${id}`, { title: 'Older', url: 'old.html' })).to.match(/^200/)
    expect(await outcome(`DELETE /wp/v2/menu-items/${id}?force=true`)).to.match(/^200/)
  })

  it('refuses an entry that leads nowhere, and one below itself', async () => {
    const refused = (body: object) => outcome('POST /wp/v2/menu-items', { menus: menu, ...body })
    expect(await refused({ title: 'x' })).to.equal('400 rest_url_required')
    expect(await refused({ url: '/x/' })).to.equal('400 rest_title_required')
    expect(await refused({ type: 'post_type', object_id: 99_999 })).to.equal('400 rest_post_invalid_id')
    expect(await refused({ type: 'taxonomy', object_id: 99_999 })).to.equal('400 rest_term_invalid_id')
    expect(await refused({ title: 'x', url: '/x/', parent: page })).to.equal('400 rest_invalid_param')
    expect(await outcome('POST /wp/v2/menu-items', { menus: 1, title: 'x', url: '/' })).to.equal('400 invalid_menu_id')
    const one = await add({ title: 'Round', url: '/round/' })
    const two = await add({ title: 'About', url: '/about/', parent: one })
    expect(await outcome(`POST /wp/v2/menu-items/${one}`, { parent: two })).to.equal('400 rest_invalid_param')
    expect(await outcome(`POST /wp/v2/menu-items/${one}`, { parent: one })).to.equal('400 rest_invalid_param')
  })

  it('gets a circle, as an import may bring one, out of an entry when the other is deleted', async () => {
    const one = await add({ title: 'One', url: '/one/' })
    const two = await add({ title: 'Two', url: '/two/', parent: one })
    await site.host.content.meta.set('post', one, '_menu_item_menu_item_parent', String(two))
    await outcome(`DELETE /wp/v2/menu-items/${one}?force=true`)
    expect((await site.ask(`GET /wp/v2/menu-items/${two}`, undefined, admin)).item.parent).to.equal(0)
    expect(await navigation()).to.contain('Two')
  })

  it('keeps an address whose path begins with two slashes from leading to another host', async () => {
    await add({ title: 'Slashes', url: `${site.url}//example.org/` })
    expect(await navigation()).to.contain(`href="${site.url}//example.org/"`)
  })

  it('hides an item whose post is deleted or not public, and marks it for editors', async () => {
    const post = await idOf('POST /wp/v2/posts', { title: 'Short lived', status: 'publish' })
    const item = await add({ type: 'post_type', object: 'post', object_id: post })
    expect(await navigation()).to.contain('Short lived')
    await outcome(`POST /wp/v2/posts/${post}`, { status: 'draft' })
    expect(await navigation()).not.to.contain('Short lived')
    await outcome(`DELETE /wp/v2/posts/${post}?force=true`)
    expect(await navigation()).not.to.contain('Short lived')
    expect((await site.ask(`GET /wp/v2/menu-items/${item}`, undefined, admin)).item).to.include({
      invalid: true,
      url: '',
    })
  })

  it('lists the menu locations of the theme and their menus', async () => {
    const { item } = await site.ask('GET /wp/v2/menu-locations', undefined, admin)
    expect(item).to.have.all.keys('primary', 'footer')
    expect(item.primary).to.include({ name: 'primary', description: 'Primary menu', menu })
    expect(item.footer).to.include({ menu: 0 })
    expect(await outcome(`POST /wp/v2/menus/${menu}`, { locations: ['attic'] })).to.equal(
      '400 rest_invalid_menu_location',
    )
    expect(await outcome('GET /wp/v2/menu-locations/attic')).to.equal('404 rest_menu_location_invalid')
  })

  it('is for who may change how the site looks', async () => {
    const editor = await site.signIn('ed', 'editor')
    for (const route of [
      'GET /wp/v2/menus',
      'GET /wp/v2/menu-items',
      'GET /wp/v2/menu-locations',
      `GET /wp/v2/menus/${menu}`,
    ]) {
      expect(await site.outcome(route)).to.equal('401 rest_cannot_view')
      expect(await site.outcome(route, undefined, editor)).to.equal('403 rest_cannot_view')
    }
    expect(await site.outcome('POST /wp/v2/menus', { name: 'Mine' }, editor)).to.equal('403 rest_cannot_view')
  })

  it('keeps names apart; without a menu the pages are the navigation again', async () => {
    expect(await outcome('POST /wp/v2/menus', { name: 'Main' })).to.equal('400 menu_exists')
    expect(await outcome(`DELETE /wp/v2/menus/${menu}?force=true`)).to.equal('200')
    expect((await site.ask('GET /wp/v2/menu-items', undefined, admin)).body).to.deep.equal([])
    expect(await navigation())
      .to.contain('Our team')
      .and.not.to.contain('Elsewhere')
  })
})
