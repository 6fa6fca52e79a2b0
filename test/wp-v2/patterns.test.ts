import { expect } from 'chai'
import { onEachDatabase } from '../support/databases.ts'
import { toObject } from './gazette.ts'
import { useOwnSite } from './own-site.ts'

const GREETING = '<!-- wp:paragraph --><p>Good morning, reader</p><!-- /wp:paragraph -->'
const PAGES = '<!-- wp:page-list /-->'

onEachDatabase('patterns and navigation menus, as recorded from WordPress', (databaseUrl) => {
  const site = useOwnSite(databaseUrl)
  const as: Record<string, string | undefined> = {}
  let pattern: string
  let menu: string

  before(async () => {
    as.admin = await site.signIn('admin', 'administrator')
    for (const role of ['editor', 'author', 'contributor', 'subscriber']) as[role] = await site.signIn(role, role)
    pattern = await made('blocks', { title: 'Greeting', content: GREETING, status: 'publish' })
    menu = await made('navigation', { title: 'Main', content: PAGES, status: 'publish' })
  })

  async function made(base: string, fields: object): Promise<string> {
    const { status, item } = await site.ask(`POST /wp/v2/${base}`, fields, as.admin)
    expect(status).to.equal(201)
    return `/wp/v2/${base}/${item.id}`
  }

  /** What each role gets, visitors last. */
  async function outcomes(route: string, body?: object): Promise<string[]> {
    const told: string[] = []
    for (const role of ['admin', 'editor', 'author', 'contributor', 'subscriber', 'visitor'])
      told.push(await site.outcome(route, body, as[role]))
    return told
  }

  describe('patterns, wp/v2/blocks', () => {
    it('show their raw text to those who write, and nothing to others', async () => {
      expect(await outcomes(`GET ${pattern}`)).to.deep.equal([
        ...['200', '200', '200', '200', '403 rest_forbidden', '401 rest_forbidden'],
      ])
      const { item } = await site.ask(`GET ${pattern}`, undefined, as.contributor)
      expect(item).to.deep.include({ type: 'wp_block', slug: 'greeting', status: 'publish', meta: [] })
      expect(item).to.deep.include({ title: { raw: 'Greeting' }, content: { raw: GREETING, protected: false } })
      expect(item).to.deep.include({ wp_pattern_sync_status: '', wp_pattern_category: [] })
      expect(item).to.not.have.any.keys('author', 'comment_status', 'featured_media')
      const list = async (role?: string) => (await site.ask('GET /wp/v2/blocks', undefined, role && as[role])).body
      expect(await list('author')).to.have.lengthOf(1)
      expect(await list('subscriber')).to.deep.equal([])
      expect(await list()).to.deep.equal([])
    })

    it('reveal nothing to visitors through totals, searches or revisions', async () => {
      const { headers } = await site.ask('GET /wp/v2/blocks?search=reader')
      expect(headers.get('x-wp-total')).to.equal('0')
      expect(await site.outcome(`GET ${pattern}/revisions`)).to.equal('401 rest_cannot_read')
      expect((await site.ask('GET /wp/v2/search?search=Greeting')).body).to.deep.equal([])
      expect((await fetch(`${site.url}/?p=${pattern.split('/').at(-1)}`)).status).to.equal(404)
      expect((await fetch(`${site.url}/greeting/`)).status).to.equal(404)
      expect(await (await fetch(`${site.url}/?s=reader`)).text()).to.not.include('Good morning')
      expect(await (await fetch(`${site.url}/wp-sitemap.xml`)).text()).to.not.include('wp_block')
    })

    it('are made by those who publish posts, changed and deleted like posts', async () => {
      expect(await outcomes('POST /wp/v2/blocks', { title: 'Draft' })).to.deep.equal([
        ...['201', '201', '201', '403 rest_cannot_create', '403 rest_cannot_create', '401 rest_cannot_create'],
      ])
      const own = await site.ask('POST /wp/v2/blocks', { title: 'Mine', status: 'publish' }, as.author)
      const mine = `/wp/v2/blocks/${own.item.id}`
      expect(await site.outcome(`POST ${mine}`, { title: 'Still mine' }, as.author)).to.equal('200')
      expect(await site.outcome(`POST ${pattern}`, { title: 'x' }, as.author)).to.equal('403 rest_cannot_edit')
      expect(await site.outcome(`DELETE ${pattern}`, undefined, as.author)).to.equal('403 rest_cannot_delete')
      expect(await site.outcome(`DELETE ${mine}?force=true`, undefined, as.editor)).to.equal('200')
    })

    it('keep whether they are synced, their category and their revisions', async () => {
      const { item: category } = await site.ask('POST /wp/v2/wp_pattern_category', { name: 'Calls' }, as.author)
      const { item } = await site.ask(
        'POST /wp/v2/blocks',
        { ...{ title: 'Call', content: GREETING, wp_pattern_category: [category.id] }, meta: sync('unsynced') },
        as.editor,
      )
      expect(item).to.deep.include({ wp_pattern_sync_status: 'unsynced', wp_pattern_category: [category.id] })
      const one = `/wp/v2/blocks/${item.id}`
      const short = await site.ask(`GET ${one}?_fields=wp_pattern_sync_status`, undefined, as.editor)
      expect(short.body).to.deep.equal({ wp_pattern_sync_status: 'unsynced' })
      expect(await site.outcome(`POST ${one}`, { meta: sync('sometimes') }, as.editor)).to.match(/^400 /)
      expect(await site.outcome(`POST ${one}`, { content: PAGES }, as.editor)).to.equal('200')
      expect((await site.ask(`GET ${one}/revisions`, undefined, as.editor)).body).to.have.lengthOf(2)
      const posts = await site.ask('POST /wp/v2/posts', { title: 'x', meta: sync('unsynced') }, as.editor)
      expect(posts.item.meta).to.deep.equal([])
    })

    const sync = (wp_pattern_sync_status: string) => ({ wp_pattern_sync_status })

    it('let everybody see the images that were uploaded to them', async () => {
      const id = Number(pattern.split('/').at(-1))
      const image = { type: 'attachment', status: 'inherit', title: 'Sun', mimeType: 'image/png', parentId: id }
      const { id: imageId } = await site.host.content.posts.insert(image)
      expect(await site.outcome(`GET /wp/v2/media/${imageId}`)).to.equal('200')
    })
  })

  describe('navigation menus, wp/v2/navigation', () => {
    it('are read by everybody and written by those who edit the theme', async () => {
      expect((await site.ask(`GET ${menu}`)).item).to.deep.include({
        type: 'wp_navigation',
        title: { rendered: 'Main' },
      })
      expect((await site.ask('GET /wp/v2/navigation')).body).to.have.lengthOf(1)
      expect(await outcomes('POST /wp/v2/navigation', { title: 'Other' })).to.deep.equal([
        ...['201', '403 rest_cannot_create', '403 rest_cannot_create', '403 rest_cannot_create'],
        ...['403 rest_cannot_create', '401 rest_cannot_create'],
      ])
      expect(await site.outcome(`POST ${menu}`, { title: 'x' }, as.editor)).to.equal('403 rest_cannot_edit')
      const { item } = await site.ask(`POST ${menu}?context=edit`, { content: GREETING }, as.admin)
      expect(toObject(item.content).raw).to.equal(GREETING)
    })

    it('stand in for a block without one: the latest, or a new one with all pages', async () => {
      const fallback = 'GET /wp-block-editor/v1/navigation-fallback'
      expect(await outcomes(fallback)).to.deep.equal([
        ...['200', '403 rest_cannot_create', '403 rest_cannot_create', '403 rest_cannot_create'],
        ...['403 rest_cannot_create', '401 rest_cannot_create'],
      ])
      const chosen = async () => (await site.ask(`${fallback}?_embed`, undefined, as.admin)).item
      expect((await chosen()).id).to.equal(Number(menu.split('/').at(-1)))
      await site.ask(`POST ${menu}`, { status: 'draft' }, as.admin)
      const made = await chosen()
      await site.ask(`POST ${menu}`, { status: 'publish' }, as.admin)
      expect(made._links).to.deep.include({
        self: [{ embeddable: true, href: `${site.url}/wp-json/wp/v2/navigation/${made.id}` }],
      })
      expect(toObject(made._embedded).self).to.have.lengthOf(1)
      const { item } = await site.ask(`GET /wp/v2/navigation/${made.id}?context=edit`, undefined, as.admin)
      expect(item).to.include({ status: 'publish', slug: 'navigation' })
      expect(toObject(item.content).raw).to.equal('<!-- wp:page-list /-->')
      expect(await site.outcome(`DELETE /wp/v2/navigation/${made.id}?force=true`, undefined, as.admin)).to.equal('200')
    })

    it('have no page of their own', async () => {
      expect((await fetch(`${site.url}/main/`)).status).to.equal(404)
      expect((await fetch(`${site.url}/?p=${menu.split('/').at(-1)}`)).status).to.equal(404)
    })
  })

  it('return what they support and which capabilities they require', async () => {
    const { item } = await site.ask('GET /wp/v2/types/wp_block?context=edit', undefined, as.author)
    expect(toObject(item.capabilities)).to.include({ read: 'edit_posts', create_posts: 'publish_posts' })
    expect(item).to.deep.include({ name: 'Patterns', rest_base: 'blocks', taxonomies: ['wp_pattern_category'] })
    const menuType = await site.ask('GET /wp/v2/types/wp_navigation?context=edit', undefined, as.admin)
    expect(toObject(menuType.item.capabilities)).to.include({ edit_posts: 'edit_theme_options', read: 'read' })
    expect(await site.outcome('GET /wp/v2/types/wp_navigation?context=edit', undefined, as.author)).to.equal(
      '403 rest_forbidden_context',
    )
  })
})
