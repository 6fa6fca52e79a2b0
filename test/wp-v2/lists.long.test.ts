import { expect } from 'chai'
import { onEachDatabase } from '../support/databases.ts'
import { type Gazette, ids, openGazette, toObject } from './gazette.ts'

onEachDatabase('wp/v2 terms, users, comments and search', (databaseUrl) => {
  let site: Gazette
  let admin: string
  before(async () => {
    site = await openGazette(await databaseUrl())
    admin = await site.signIn('admin', 'administrator')
  })
  after(() => site?.close())

  const code = async (path: string, as?: string) => {
    const { status, item } = await site.get(path, as)
    return `${status} ${String(item.code)}`
  }

  it('accept perPage as well as per_page, with the same validation; per_page takes precedence', async () => {
    for (const list of ['posts', 'categories', 'users', 'comments', 'search']) {
      const one = await site.get(`/wp/v2/${list}?perPage=1`)
      expect(one.items, list).to.have.length(1)
      expect(one.body, list).to.deep.equal((await site.get(`/wp/v2/${list}?per_page=1`)).body)
      expect((await site.get(`/wp/v2/${list}?perPage=101`)).item, list).to.deep.equal(
        (await site.get(`/wp/v2/${list}?per_page=101`)).item,
      )
    }
    expect((await site.get('/wp/v2/categories?perPage=1&per_page=2')).items).to.have.length(2)
    expect(await code('/wp/v2/posts?perPage=0')).to.equal('400 rest_invalid_param')
  })

  describe('categories and tags', () => {
    const names = async (path: string) => (await site.get(path)).items.map((item) => String(item.name))

    it('are sorted by name, the whole tree in one list', async () => {
      const all = await names('/wp/v2/categories?per_page=100')
      expect(all).to.include.members(['Travel', 'Georgia'])
      expect(all.map((name) => name.toLowerCase())).to.deep.equal(all.map((name) => name.toLowerCase()).sort())
    })

    it('are filtered by parent, post, slug, search and whether they are empty', async () => {
      const { terms } = site.host.content
      await terms.insert('category', { name: 'Nobody writes here' })
      expect(await names('/wp/v2/categories?parent=3')).to.include('Georgia')
      expect(await names('/wp/v2/tags?post=9&orderby=id')).to.have.members(['slow food', 'trains'])
      expect(await names('/wp/v2/categories?slug=georgia,travel')).to.deep.equal(['Georgia', 'Travel'])
      expect(await names('/wp/v2/categories?search=GEORG')).to.deep.equal(['Georgia'])
      expect(await names('/wp/v2/categories?per_page=100')).to.include('Nobody writes here')
      expect(await names('/wp/v2/categories?per_page=100&hide_empty=1')).not.to.include('Nobody writes here')
    })

    it('past the last page are an empty list', async () => {
      const { status, body } = await site.get('/wp/v2/tags?page=99')
      expect([status, body]).to.deep.equal([200, []])
    })

    it('are 404 for a term of the other taxonomy', async () => {
      expect(await code('/wp/v2/tags/4')).to.equal('404 rest_term_invalid')
      expect((await site.get('/wp/v2/categories/4')).item).to.include({ name: 'Georgia', parent: 3 })
    })

    it('of a post that the caller may not read are not shown', async () => {
      const draft = await site.host.content.posts.insert({ type: 'post', status: 'draft', title: 'Draft' })
      expect(await code(`/wp/v2/categories?post=${draft.id}`)).to.equal('401 rest_forbidden_context')
      expect((await site.get(`/wp/v2/categories?post=${draft.id}`, admin)).status).to.equal(200)
    })

    it('show strangers nothing for editing', async () => {
      expect(await code('/wp/v2/categories?context=edit')).to.equal('401 rest_forbidden_context')
      expect(await code('/wp/v2/categories/4?context=edit')).to.equal('401 rest_forbidden_context')
    })
  })

  describe('users', () => {
    let quiet: number
    before(async () => {
      const user = { login: 'quiet', email: 'quiet@example.org', displayName: 'Quiet One', roles: ['author'] }
      quiet = (await site.host.auth.users.create(user)).id
      await site.host.content.posts.insert({ type: 'post', status: 'draft', title: 'Not yet', authorId: quiet })
    })

    it('without published posts are not shown to anonymous visitors', async () => {
      expect(ids(await site.get('/wp/v2/users?per_page=100'))).not.to.include(quiet)
      expect(ids(await site.get('/wp/v2/users?search=quiet'))).to.deep.equal([])
      expect(ids(await site.get('/wp/v2/users?slug=quiet&has_published_posts=false'))).to.deep.equal([])
      for (const types of ['nope', 'post,nope'])
        expect(await code(`/wp/v2/users?has_published_posts=${types}`)).to.equal('400 rest_invalid_param')
      expect((await site.get('/wp/v2/users?has_published_posts=post')).status).to.equal(200)
      expect(await code(`/wp/v2/users/${quiet}`)).to.equal('401 rest_user_cannot_view')
      const reader = await site.signIn('reader', 'subscriber')
      expect(await code(`/wp/v2/users/${quiet}`, reader)).to.equal('403 rest_user_cannot_view')
      expect(ids(await site.get('/wp/v2/users?per_page=100', admin))).to.include(quiet)
    })

    it('show strangers neither login, address nor roles', async () => {
      const { text, item } = await site.get('/wp/v2/users/1')
      expect(Object.keys(item)).to.deep.equal([
        'id',
        'name',
        'url',
        'description',
        'link',
        'slug',
        'avatar_urls',
        'meta',
        '_links',
      ])
      expect(text).not.to.contain('@')
    })

    it('are not found by fields that anonymous visitors do not see', async () => {
      const user = {
        login: 'hidden-login',
        email: 'findme@example.org',
        slug: 'poet',
        displayName: 'The Poet',
        roles: ['author'],
      }
      const { id } = await site.host.auth.users.create(user)
      await site.host.content.posts.insert({ type: 'post', status: 'publish', title: 'Poem', authorId: id })
      expect(ids(await site.get('/wp/v2/users?search=poet'))).to.deep.equal([id])
      expect(ids(await site.get('/wp/v2/users?search=findme'))).to.deep.equal([])
      expect(ids(await site.get('/wp/v2/users?search=hidden-login'))).to.deep.equal([])
      expect(ids(await site.get('/wp/v2/users?search=findme', admin))).to.deep.equal([id])
    })

    it('are not sorted or filtered for strangers by what they do not see', async () => {
      expect(await code('/wp/v2/users?orderby=email')).to.equal('401 rest_forbidden_orderby')
      expect(await code('/wp/v2/users?orderby=registered_date')).to.equal('401 rest_forbidden_orderby')
      expect(await code('/wp/v2/users?roles=author')).to.equal('401 rest_user_cannot_view')
      expect(await code('/wp/v2/users?capabilities=edit_posts')).to.equal('401 rest_user_cannot_view')
      expect(await code('/wp/v2/users?who=authors')).to.equal('401 rest_forbidden_who')
      expect(await code('/wp/v2/users?context=edit')).to.equal('401 rest_forbidden_context')
      expect(await code('/wp/v2/users/1?context=edit')).to.equal('401 rest_forbidden_context')
      expect(await code('/wp/v2/users/999999')).to.equal('404 rest_user_invalid_id')
    })

    it('are found by any number of ids, without a header that is too long for a proxy', async () => {
      const many = Array.from({ length: 2500 }, (_, id) => id).join()
      for (const query of [`include=${many}`, `exclude=${many}`, `include=${many}&per_page=1`, `slug=${many}`]) {
        const { status, headers } = await site.get(`/wp/v2/users?${query}`, admin)
        expect(status).to.equal(200)
        expect(headers.get('link') ?? '').to.have.length.below(8192)
      }
    })

    it('are filtered and sorted for an administrator', async () => {
      const users = async (query: string) => ids(await site.get(`/wp/v2/users?${query}`, admin))
      expect(await users('roles=administrator')).to.deep.equal([1])
      expect(await users('capabilities=manage_options')).to.deep.equal([1])
      expect(await users('capabilities=no_such_thing')).to.deep.equal([])
      expect(await users('who=authors&per_page=100')).to.include(1)
      expect(await users('slug=quiet,admin&orderby=include_slugs')).to.deep.equal([quiet, 1])
      expect(await users(`include=${quiet},1&orderby=include`)).to.deep.equal([quiet, 1])
      expect(await users('orderby=registered_date&per_page=1')).to.have.length(1)
    })
  })

  describe('comments', () => {
    let held: number
    let locked: number
    let open: number
    before(async () => {
      const { content } = site.host
      const comment = (postId: number, status: 'approved' | 'hold', text: string) =>
        content.comments.insert({
          postId,
          ...{
            parentId: 0,
            userId: 0,
            authorName: 'Ann',
            authorEmail: 'ann@example.org',
            authorUrl: '',
            userAgent: 'x',
          },
          ...{ authorAddress: '10.0.0.1', content: text, status, type: 'comment', date: '', dateGmt: '' },
        })
      const protectedPost = await content.posts.insert({
        type: 'post',
        status: 'publish',
        title: 'L',
        password: 'sesame',
      })
      held = (await comment(9, 'hold', 'Held')).id
      locked = (await comment(protectedPost.id, 'approved', 'Locked')).id
      open = (await comment(9, 'approved', 'Nice <script>alert(1)</script><b onclick="x">post</b>\n\nBye')).id
    })

    it('show strangers what is approved, on posts they may read', async () => {
      const all = ids(await site.get('/wp/v2/comments?per_page=100'))
      expect(all).to.include(open).and.not.to.include(held).and.not.to.include(locked)
      expect(await code(`/wp/v2/comments/${held}`)).to.equal('401 rest_cannot_read')
      expect(await code(`/wp/v2/comments/${locked}`)).to.equal('401 rest_cannot_read_post')
      expect((await site.get(`/wp/v2/comments/${locked}?password=sesame`)).status).to.equal(200)
      expect(await code('/wp/v2/comments/999999')).to.equal('404 rest_comment_invalid_id')
    })

    it('count comments on posts with a password and leave them out of the page, but not in a search', async () => {
      const total = async (query: string) =>
        Number((await site.get(`/wp/v2/comments?${query}`)).headers.get('x-wp-total'))
      const all = await site.get(`/wp/v2/comments?include=${open},${locked},${held}`)
      expect(ids(all)).to.deep.equal([open])
      expect(Number(all.headers.get('x-wp-total'))).to.equal(2)
      expect(await total('search=Locked')).to.equal(0)
      expect(await total('search=script')).to.equal(1)
    })

    it('reveal nothing private about their authors, and run no scripts', async () => {
      const { text, item } = await site.get(`/wp/v2/comments/${open}`)
      expect(text).not.to.contain('ann@example.org').and.not.to.contain('10.0.0.1')
      expect(item.content).to.deep.equal({ rendered: '<p>Nice <b>post</b></p>\n<p>Bye</p>\n' })
      expect(item).to.include({
        status: 'approved',
        link: `${String((await site.get('/wp/v2/posts/9')).item.link)}#comment-${open}`,
      })
    })

    it('let only who edits posts ask for more', async () => {
      for (const query of [
        'status=hold',
        'author=1',
        'author_email=ann@example.org',
        'type=pingback',
        'author_exclude=1',
      ]) {
        expect(await code(`/wp/v2/comments?${query}`), query).to.equal('401 rest_forbidden_param')
      }
      expect(await code('/wp/v2/comments?context=edit')).to.equal('401 rest_forbidden_context')
      expect(ids(await site.get('/wp/v2/comments?status=hold', admin))).to.include(held)
      expect(await code('/wp/v2/comments?status=nope', admin)).to.equal('400 rest_invalid_param')
      expect((await site.get(`/wp/v2/comments/${held}?context=edit`, admin)).item.author_email).to.equal(
        'ann@example.org',
      )
    })

    it('are filtered by post, and sorted', async () => {
      const comments = ids(await site.get('/wp/v2/comments?post=9&orderby=id&order=asc'))
      expect(comments.at(-1)).to.equal(open)
      expect(comments).to.deep.equal([...comments].sort((one, other) => one - other))
      expect(await code('/wp/v2/comments?post=0')).to.equal('401 rest_cannot_read')
    })
  })

  describe('search', () => {
    it('finds published posts and pages of any type, or of one', async () => {
      const subtypes = async (query: string) =>
        new Set((await site.get(`/wp/v2/search?per_page=100&${query}`)).items.map((item) => item.subtype))
      expect(await subtypes('')).to.deep.equal(new Set(['post', 'page']))
      expect(await subtypes('subtype=page')).to.deep.equal(new Set(['page']))
      expect(await subtypes('type=term')).to.deep.equal(new Set(['category', 'post_tag']))
      expect(await subtypes('type=term&subtype=post_tag')).to.deep.equal(new Set(['post_tag']))
      expect(await subtypes('type=post-format')).to.deep.equal(new Set())
      expect(await code('/wp/v2/search?subtype=attachment')).to.equal('400 rest_invalid_param')
      expect(await code('/wp/v2/search?page=999')).to.equal('400 rest_search_invalid_page_number')
    })

    it('turns the pages of terms of several taxonomies', async () => {
      const all = ids(await site.get('/wp/v2/search?type=term&per_page=100'))
      const paged: number[] = []
      for (let page = 1; paged.length < all.length; page++) {
        const answer = await site.get(`/wp/v2/search?type=term&per_page=3&page=${page}`)
        expect(answer.headers.get('x-wp-total')).to.equal(String(all.length))
        paged.push(...ids(answer))
      }
      expect(paged).to.deep.equal(all)
    })

    it('never finds drafts and private posts, not even for an administrator', async () => {
      const { posts } = site.host.content
      for (const status of ['draft', 'private', 'pending'])
        await posts.insert({ type: 'post', status, title: 'Xylophone' })
      expect((await site.get('/wp/v2/search?search=xylophone')).body).to.deep.equal([])
      expect((await site.get('/wp/v2/search?search=xylophone', admin)).body).to.deep.equal([])
    })

    it('embeds what it found', async () => {
      const { items } = await site.get('/wp/v2/search?search=espresso&per_page=1&_embed')
      const [found] = Object.values(toObject(toObject(items[0]?._embedded).self))
      expect(toObject(found).id).to.equal(items[0]?.id)
    })
  })

  describe('types, taxonomies and statuses', () => {
    it('show what everybody may know', async () => {
      expect(Object.keys((await site.get('/wp/v2/types')).item)).to.deep.equal([
        'post',
        'page',
        'attachment',
        'nav_menu_item',
        'wp_block',
        'wp_navigation',
        'wp_template',
        'wp_template_part',
      ])
      expect(Object.keys((await site.get('/wp/v2/taxonomies')).item)).to.deep.equal([
        'category',
        'post_tag',
        'nav_menu',
        'wp_pattern_category',
      ])
      expect(Object.keys((await site.get('/wp/v2/taxonomies?type=page')).item)).to.deep.equal([])
      expect(Object.keys((await site.get('/wp/v2/statuses')).item)).to.deep.equal(['publish'])
      const statuses = ['publish', 'future', 'draft', 'pending', 'private', 'trash']
      expect(Object.keys((await site.get('/wp/v2/statuses', admin)).item)).to.deep.equal(statuses)
      expect((await site.get('/wp/v2/types/post')).item).to.include({ slug: 'post', rest_base: 'posts' })
      expect((await site.get('/wp/v2/taxonomies/category')).item).to.include({
        slug: 'category',
        rest_base: 'categories',
      })
    })

    it('link to the routes of menus and templates, by which clients find them', async () => {
      const types = (await site.get('/wp/v2/types', admin)).item
      for (const [name, base] of Object.entries({
        nav_menu_item: 'menu-items',
        wp_template: 'templates',
        wp_template_part: 'template-parts',
      })) {
        expect(toObject(types[name])).to.include({ slug: name, rest_base: base })
        expect(toObject((await site.get(`/wp/v2/types/${name}`)).item._links)['wp:items']).to.deep.equal([
          { href: `${site.url}/wp-json/wp/v2/${base}` },
        ])
        expect((await site.get(`/wp/v2/${base}`, admin)).status).to.equal(200)
      }
      const menus = (await site.get('/wp/v2/taxonomies/nav_menu?context=edit', admin)).item
      expect(menus).to.deep.include({ rest_base: 'menus', types: ['nav_menu_item'] })
      expect(toObject(menus.visibility)).to.include({ public: false, show_ui: false, show_in_nav_menus: false })
      expect(toObject(menus.capabilities).assign_terms).to.equal('edit_theme_options')
    })

    it('are shown with context=edit to users who may edit the parent post', async () => {
      const editor = await site.signIn('nadia', 'editor')
      expect((await site.get('/wp/v2/types?context=edit', editor)).item)
        .to.include.keys('post')
        .and.not.include.keys('wp_template')
      expect((await site.get('/wp/v2/taxonomies?context=edit', editor)).item).to.have.all.keys(
        'category',
        'post_tag',
        'wp_pattern_category',
      )
      expect(await code('/wp/v2/taxonomies/nav_menu?context=edit')).to.equal('401 rest_forbidden_context')
      expect((await site.get('/wp/v2/types/wp_template?context=edit', editor)).status).to.equal(403)
    })

    it('refuse the rest', async () => {
      expect(await code('/wp/v2/types/nope')).to.equal('404 rest_type_invalid')
      expect(await code('/wp/v2/types/revision')).to.equal('401 rest_cannot_read_type')
      expect(await code('/wp/v2/types?context=edit')).to.equal('401 rest_cannot_view')
      expect(await code('/wp/v2/taxonomies/nope')).to.equal('404 rest_taxonomy_invalid')
      expect(await code('/wp/v2/taxonomies?context=edit')).to.equal('401 rest_cannot_view')
      expect(await code('/wp/v2/statuses/draft')).to.equal('401 rest_cannot_read_status')
      expect(await code('/wp/v2/statuses/nope')).to.equal('404 rest_status_invalid')
      expect(await code('/wp/v2/settings')).to.equal('401 rest_forbidden')
    })
  })
})
