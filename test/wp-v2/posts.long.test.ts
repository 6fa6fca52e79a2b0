import { expect } from 'chai'
import { onEachDatabase } from '../support/databases.ts'
import { type Gazette, ids, openGazette, toObject } from './gazette.ts'

onEachDatabase('wp/v2 posts, pages and media', (databaseUrl) => {
  let site: Gazette
  let admin: string
  before(async () => {
    site = await openGazette(await databaseUrl())
    admin = await site.signIn('admin', 'administrator')
  })
  after(() => site?.close())

  const list = async (query: string, as?: string) => ids(await site.get(`/wp/v2/posts?_fields=id&${query}`, as))
  const insert = (post: object) => site.host.content.posts.insert({ type: 'post', status: 'publish', ...post })
  /** Posts of this test only. */
  const made = async (...posts: object[]) => {
    const items = []
    for (const post of posts) items.push(await insert(post))
    return items.map((post) => post.id)
  }

  describe('GET /posts/{id}', () => {
    it('has the fields of each context', async () => {
      const fields = async (context: string) =>
        Object.keys((await site.get(`/wp/v2/posts/9?context=${context}`, admin)).item)
      const all = ['id', 'date', 'slug', 'type', 'link', 'title', 'excerpt', 'author', 'featured_media', '_links']
      expect(await fields('embed')).to.have.members(all)
      const view = [
        ...[
          'id',
          'date',
          'date_gmt',
          'guid',
          'modified',
          'modified_gmt',
          'slug',
          'status',
          'type',
          'link',
          'title',
          'content',
        ],
        ...[
          'excerpt',
          'author',
          'featured_media',
          'comment_status',
          'ping_status',
          'sticky',
          'template',
          'format',
          'meta',
        ],
        ...['categories', 'tags', '_links'],
      ]
      expect(await fields('view')).to.deep.equal(view)
      expect(await fields('edit')).to.have.members([...view, 'password', 'permalink_template', 'generated_slug'])
    })

    it('shows what was written to who edits it, and only to them', async () => {
      const { item } = await site.get('/wp/v2/posts/9?context=edit', admin)
      expect(toObject(item.title)).to.have.keys('raw', 'rendered')
      expect(toObject(item.content)).to.include({ protected: false, block_version: 1 })
      expect(String(toObject(item.content).raw)).to.contain('<!-- wp:paragraph -->')
      expect(toObject(item._links)).to.include.keys(
        'wp:action-publish',
        'wp:action-assign-author',
        'wp:action-create-tags',
      )
      expect(toObject((await site.get('/wp/v2/posts/9', admin)).item.content)).to.have.keys('rendered', 'protected')
      const refused = await site.get('/wp/v2/posts/9?context=edit')
      expect([refused.status, refused.item.code]).to.deep.equal([401, 'rest_forbidden_context'])
    })

    it('passes the filters of title, content and excerpt, and rest_prepare_post', async () => {
      const { hooks } = site.host
      const undo = [
        hooks.addFilter('the_title', (title) => `T ${title}`),
        hooks.addFilter('the_content', (html) => `C ${html}`),
        hooks.addFilter('the_excerpt', (html) => `E ${html}`),
        hooks.addFilter('rest_prepare_post', (data, post) => ({ ...data, doubled: post.id * 2 })),
      ]
      const { item } = await site.get('/wp/v2/posts/9')
      for (const one of undo) one()
      expect(toObject(item.title).rendered).to.match(/^T Dispatch 1/)
      expect(toObject(item.content).rendered).to.match(/^C <h2/)
      expect(toObject(item.excerpt).rendered).to.equal('E <p>A short summary of dispatch 1.</p>\n')
      expect(item.doubled).to.equal(18)
    })

    it('is 404 for what is not a post', async () => {
      for (const path of [
        '/wp/v2/posts/999999',
        '/wp/v2/posts/60',
        '/wp/v2/pages/9',
        '/wp/v2/media/9',
        '/wp/v2/posts/0',
        '/wp/v2/posts/99999999999999999999',
      ]) {
        const { status, item } = await site.get(path)
        expect([path, status, item.code]).to.deep.equal([path, 404, 'rest_post_invalid_id'])
      }
    })

    it('keeps drafts, private, scheduled and trashed posts from strangers', async () => {
      for (const status of ['draft', 'pending', 'private', 'future', 'trash']) {
        const [id] = await made({ status, title: 'Hidden', date: '2099-01-01T00:00:00' })
        const answer = await site.get(`/wp/v2/posts/${id}`)
        expect([status, answer.status, answer.item.code]).to.deep.equal([status, 401, 'rest_forbidden'])
        expect((await site.get(`/wp/v2/posts/${id}`, admin)).status).to.equal(200)
      }
    })
  })

  describe('a post with a password', () => {
    let path: string
    before(async () => {
      const [id] = await made({ title: 'Locked', content: 'The treasure', excerpt: 'Gold', password: 'sesame' })
      path = `/wp/v2/posts/${id}`
    })

    it('shows neither text nor excerpt, and says so', async () => {
      const { item, text } = await site.get(path)
      expect(item.title).to.deep.equal({ rendered: 'Locked' })
      expect(item.content).to.deep.equal({ rendered: '', protected: true })
      expect(item.excerpt).to.deep.equal({ rendered: '', protected: true })
      expect(text).not.to.contain('sesame')
      expect((await site.get('/wp/v2/posts?per_page=100')).text)
        .not.to.contain('treasure')
        .and.not.to.contain('Gold')
    })

    it('opens with the password', async () => {
      const { item } = await site.get(`${path}?password=sesame`)
      expect(item.content).to.deep.equal({ rendered: '<p>The treasure</p>\n', protected: true })
      expect(item.excerpt).to.deep.equal({ rendered: '<p>Gold</p>\n', protected: true })
    })

    it('refuses a wrong one', async () => {
      for (const password of ['sesam', 'SESAME', '%F0%9F%92%A5']) {
        const { status, item } = await site.get(`${path}?password=${password}`)
        expect([status, item.code]).to.deep.equal([403, 'rest_post_incorrect_password'])
      }
    })

    it('shows its text to an editor in the context edit alone', async () => {
      expect(toObject((await site.get(`${path}?context=edit`, admin)).item.content).rendered).to.equal(
        '<p>The treasure</p>\n',
      )
      expect(toObject((await site.get(path, admin)).item.content).rendered).to.equal('')
    })

    it('is not found by its text', async () => {
      expect(await list('search=treasure')).to.deep.equal([])
      expect((await site.get('/wp/v2/search?search=treasure')).body).to.deep.equal([])
    })
  })

  describe('GET /posts', () => {
    it('lists the newest first, published ones only', async () => {
      const { items, headers } = await site.get('/wp/v2/posts?per_page=100&_fields=id,date,status')
      const dates = items.map((item) => String(item.date))
      expect(dates).to.deep.equal([...dates].sort().reverse())
      expect(new Set(items.map((item) => item.status))).to.deep.equal(new Set(['publish']))
      expect(headers.get('x-wp-total')).to.equal(String(items.length))
    })

    it('filters by author, and without one', async () => {
      const author = Number((await site.get('/wp/v2/posts/9')).item.author)
      const own = await site.get(`/wp/v2/posts?author=${author}&per_page=100&_fields=author`)
      expect(new Set(own.items.map((item) => item.author))).to.deep.equal(new Set([author]))
      const others = await site.get(`/wp/v2/posts?author_exclude=${author}&per_page=100&_fields=author`)
      expect(others.items.map((item) => item.author)).not.to.include(author)
    })

    it('filters by id, in the order of the ids where that is asked for', async () => {
      expect(await list('include=12,9,10&orderby=id&order=asc')).to.deep.equal([9, 10, 12])
      expect(await list('include[]=12&include[]=9&include[]=10&orderby=include')).to.deep.equal([12, 9, 10])
      expect(await list('include=9,10&exclude=9')).to.deep.equal([10])
      expect(await list('include=99999999999')).to.deep.equal([])
    })

    it('filters by slug, in the order of the slugs where that is asked for', async () => {
      const slug = String((await site.get('/wp/v2/posts/9')).item.slug)
      expect(await list(`slug=${slug}`)).to.deep.equal([9])
      expect(await list(`slug=hello-world,${slug}&orderby=include_slugs`)).to.deep.equal([1, 9])
    })

    it('filters by time of the site, without the moment itself', async () => {
      const [early, late] = await made(
        { title: 'Early', date: '2020-03-01T08:00:00', modified: '2020-03-02T08:00:00' },
        { title: 'Late', date: '2020-03-03T08:00:00', modified: '2020-03-04T08:00:00' },
      )
      const between = 'after=2020-01-01T00:00:00&before=2020-12-31T00:00:00&orderby=id&order=asc'
      expect(await list(between)).to.deep.equal([early, late])
      expect(await list('before=2020-03-03T08:00:00&after=2020-01-01T00:00:00Z')).to.deep.equal([early])
      expect(await list('after=2020-03-01T08:00:00&before=2020-12-31T00:00:00%2B02:00')).to.deep.equal([late])
      expect(await list(`modified_after=2020-03-03T00:00:00&include=${early},${late}`)).to.include(late)
    })

    it('filters by terms: any, all, with children, without, or of another taxonomy', async () => {
      const { terms } = site.host.content
      const parent = await terms.insert('category', { name: 'Rivers' })
      const child = await terms.insert('category', { name: 'Rhine', parentId: parent.id })
      const tag = await terms.insert('post_tag', { name: 'wet' })
      const [both, one, below, tagged] = await made(
        { title: 'Both', terms: { category: [parent.id, child.id] } },
        { title: 'One', terms: { category: [parent.id] } },
        { title: 'Below', terms: { category: [child.id], post_tag: [tag.id] } },
        { title: 'Tagged', terms: { post_tag: [tag.id] } },
      )
      const sorted = async (query: string) => (await list(`orderby=id&order=asc&${query}`)).map(Number)
      expect(await sorted(`categories=${parent.id}`)).to.deep.equal([both, one])
      expect(await sorted(`categories=${parent.id},${child.id}`)).to.deep.equal([both, one, below])
      expect(await sorted(`categories[terms]=${parent.id}&categories[include_children]=true`)).to.deep.equal([
        both,
        one,
        below,
      ])
      expect(await sorted(`categories[terms]=${parent.id},${child.id}&categories[operator]=AND`)).to.deep.equal([both])
      expect(await sorted(`categories=${child.id}&categories_exclude=${parent.id}`)).to.deep.equal([below])
      expect(await sorted(`categories=${child.id}&tags=${tag.id}`)).to.deep.equal([below])
      expect(await sorted(`categories=${parent.id}&tags=${tag.id}&tax_relation=OR`)).to.deep.equal([
        both,
        one,
        below,
        tagged,
      ])
      expect(await sorted(`tags=${tag.id}&tags_exclude[terms]=${tag.id}`)).to.deep.equal([])
    })

    it('filters sticky posts', async () => {
      expect(await list('sticky=true')).to.deep.equal([12])
      expect(await list('sticky=false&per_page=100')).not.to.include(12)
    })

    it('starts at an offset, whatever page is asked for', async () => {
      const all = await list('per_page=10')
      expect(await list('per_page=3&offset=2&page=9')).to.deep.equal(all.slice(2, 5))
      expect(await list('offset=9999')).to.deep.equal([])
    })

    it('sorts by title', async () => {
      const { items } = await site.get('/wp/v2/posts?orderby=title&order=asc&per_page=5&_fields=title')
      const titles = items.map((item) => String(toObject(item.title).rendered).toLowerCase())
      expect(titles).to.deep.equal([...titles].sort())
    })

    it('says what an order needs', async () => {
      const code = async (query: string) => (await site.get(`/wp/v2/posts?${query}`)).item.code
      expect(await code('orderby=include')).to.equal('rest_orderby_include_missing_include')
      expect(await code('orderby=relevance')).to.equal('rest_no_search_term_defined')
    })

    it('lets an extension change what is asked for, but not what may be read', async () => {
      const undo = site.host.hooks.addFilter('rest_post_query', (query) => ({
        ...query,
        statuses: ['draft', 'publish'],
        limit: 100,
      }))
      const { items } = await site.get('/wp/v2/posts?_fields=status')
      undo()
      expect(items.length).to.be.greaterThan(10)
      expect(new Set(items.map((item) => item.status))).to.deep.equal(new Set(['publish']))
    })

    it('does not reveal the number of posts that a user may not see', async () => {
      const writer = await site.signIn('penny', 'contributor')
      const penny = await site.host.auth.users.getByLogin('penny')
      const [own] = await made({ status: 'draft', title: 'Zanzibar', authorId: penny?.id })
      await made(
        { status: 'draft', title: 'Zanzibar', authorId: 1 },
        { status: 'private', title: 'Zanzibar', authorId: 1 },
      )
      for (const status of ['draft', 'any', 'draft,private']) {
        const answer = await site.get(`/wp/v2/posts?search=zanzibar&status=${status}`, writer)
        expect([ids(answer), answer.headers.get('x-wp-total')]).to.deep.equal([[own], '1'])
      }
      const answer = await site.get('/wp/v2/posts?search=zanzibar&status=any', admin)
      expect(answer.headers.get('x-wp-total')).to.equal('3')
    })

    it('shows in the context edit only what the caller may edit', async () => {
      const writer = await site.signIn('penny', 'contributor')
      const { items } = await site.get('/wp/v2/posts?context=edit&status=any&per_page=100', writer)
      const penny = await site.host.auth.users.getByLogin('penny')
      expect(new Set(items.map((item) => item.author))).to.deep.equal(new Set([penny?.id]))
    })
  })

  describe('GET /pages', () => {
    it('filters and sorts by place in the tree', async () => {
      const pages = async (query: string) => ids(await site.get(`/wp/v2/pages?_fields=id&${query}`))
      expect(await pages('parent=60&orderby=menu_order&order=asc')).to.deep.equal([61, 62])
      expect(await pages('parent_exclude=0&orderby=id&order=asc')).to.deep.equal([61, 62])
      expect(await pages('menu_order=2')).to.deep.equal([62])
    })

    it('links a page to the one above it', async () => {
      const { item } = await site.get('/wp/v2/pages/61')
      expect(item).to.include({ parent: 60, menu_order: 1 })
      expect(toObject(item._links).up).to.deep.equal([{ embeddable: true, href: `${site.url}/wp-json/wp/v2/pages/60` }])
      expect(item).not.to.have.any.keys('sticky', 'format', 'categories')
    })
  })

  describe('GET /media', () => {
    it('filters by type and post', async () => {
      const media = async (query: string) => ids(await site.get(`/wp/v2/media?_fields=id&${query}`))
      const images = await media('media_type=image')
      expect(images.length).to.be.greaterThan(0)
      expect(await media('mime_type=image/png'))
        .to.include(4)
        .and.to.have.length.below(images.length + 1)
      expect(await media('media_type=video')).to.deep.equal([])
      expect(await media('parent=9')).to.be.an('array')
    })

    it('keeps the files of posts that the caller may not read to itself', async () => {
      const [draft] = await made({ status: 'draft', title: 'Draft' })
      const [file] = await made({
        type: 'attachment',
        status: 'inherit',
        parentId: draft,
        title: 'secret-plan',
        mimeType: 'image/png',
      })
      const answer = await site.get(`/wp/v2/media/${file}`)
      expect([answer.status, answer.item.code]).to.deep.equal([401, 'rest_forbidden'])
      expect(ids(await site.get('/wp/v2/media?per_page=100'))).not.to.include(file)
      expect(ids(await site.get('/wp/v2/media?per_page=100', admin))).to.include(file)
    })

    it('embeds the featured image of a post', async () => {
      const { item } = await site.get('/wp/v2/posts/9?_embed=wp:featuredmedia')
      expect(item.featured_media).to.equal(4)
      const [image] = Object.values(toObject(toObject(item._embedded)['wp:featuredmedia']))
      expect(toObject(image)).to.include({ id: 4, media_type: 'image', alt_text: 'Picture map.png' })
      expect(toObject(image)).not.to.have.any.keys('description', 'post', 'status')
    })
  })
})
