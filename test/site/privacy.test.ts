import { expect } from 'chai'
import request from 'supertest'
import type { Post } from '../../cms/content/types.ts'
import { type SiteUnderTest, startSite, textOf } from './site-under-test.ts'

/** In the title, text and excerpt of each post that is not public, and nowhere else. */
const HIDDEN = ['Zeppelin', 'Quetzal', 'Yttrium', 'Vermilion', 'Umbrage']

describe('What is not public', () => {
  let site: SiteUnderTest
  let posts: Record<'open' | 'draft' | 'private' | 'locked' | 'future' | 'trash', Post>
  let attachment: Post
  const get = (path: string, cookie = '') => request(site.http).get(path).set('Cookie', cookie)

  before(async () => {
    site = await startSite()
    const { content, auth } = site
    const writer = await auth.users.create({ login: 'writer', displayName: 'A Writer', roles: ['author'] })
    const hermit = await auth.users.create({ login: 'hermit', displayName: 'Hermit', roles: ['author'] })
    const category = await content.terms.insert('category', { name: 'News' })
    const insert = (word: string, post: Parameters<typeof content.posts.insert>[0]) =>
      content.posts.insert({
        title: `Title ${word}`,
        content: `Text ${word}`,
        excerpt: `Excerpt ${word}`,
        date: '2026-01-05T08:00:00',
        authorId: writer.id,
        terms: { category: [category.id] },
        ...post,
      })
    posts = {
      open: await insert('Open', { status: 'publish' }),
      draft: await insert('Zeppelin', { status: 'draft', slug: 'zeppelin', authorId: hermit.id }),
      private: await insert('Quetzal', { status: 'private', slug: 'quetzal', date: '2026-01-06T08:00:00' }),
      locked: await insert('Yttrium', {
        status: 'publish',
        password: 'sesame',
        title: 'Behind the door',
        slug: 'door',
      }),
      future: await insert('Vermilion', { status: 'future', slug: 'vermilion', date: '2099-01-01T08:00:00' }),
      trash: await insert('Umbrage', { status: 'trash', slug: 'umbrage' }),
    }
    attachment = await insert('Quetzal', {
      type: 'attachment',
      status: 'inherit',
      parentId: posts.private.id,
      slug: 'plumage',
    })
    await content.comments.insert({
      postId: posts.locked.id,
      parentId: 0,
      userId: 0,
      authorName: 'Reader',
      authorEmail: '',
      authorUrl: '',
      authorAddress: '',
      userAgent: '',
      content: 'Comment Yttrium',
      status: 'approved',
      type: 'comment',
      date: '2026-01-07T08:00:00',
      dateGmt: '2026-01-07T08:00:00',
    })
  })
  after(() => site.close())

  const lists = ['/', '/feed/', '/category/news/', '/category/news/feed/', '/author/writer/', '/author/writer/feed/']
  const more = ['/2026/', '/2026/01/', '/title-open/', '/comments/feed/', '/title-open/feed/', '/door/']
  for (const path of [...lists, ...more]) {
    it(`shows in no word on ${path}`, async () => {
      const { status, text } = await get(path)
      expect(status).to.equal(200)
      for (const word of HIDDEN) expect(text).to.not.contain(word)
    })
  }

  it('is not found by searching', async () => {
    for (const word of [...HIDDEN, 'door', 'sesame']) {
      const { text } = await get(`/?s=${word}`).expect(200)
      expect(text).to.not.contain('<article')
      expect(textOf(text, 'main')).to.contain('0 results')
    }
    expect(textOf((await get('/?s=open').expect(200)).text, 'main')).to.contain('Title Open')
  })

  it('has no page for a visitor, under no address', async () => {
    const ids = [posts.draft, posts.private, posts.future, posts.trash, attachment].map((post) => post.id)
    const byId = ids.flatMap((id) => [
      `/?p=${id}`,
      `/?page_id=${id}`,
      `/?p=${id}&preview=true`,
      `/?attachment_id=${id}`,
    ])
    const bySlug = [
      '/zeppelin/',
      '/quetzal/',
      '/vermilion/',
      '/umbrage/',
      '/quetzal/feed/',
      '/quetzal/plumage/',
      '/plumage/',
    ]
    for (const path of [...byId, ...bySlug]) {
      const { status, text, headers } = await get(path)
      expect(status, path).to.equal(404)
      expect(headers.location, path).to.equal(undefined)
      for (const word of HIDDEN) expect(text).to.not.contain(word)
    }
  })

  it('does not make an author without public posts known', async () => {
    await get('/author/hermit/').expect(404)
    await get('/author/hermit/feed/').expect(404)
    const { id } = (await site.auth.users.getByLogin('hermit')) ?? { id: 0 }
    await get(`/?author=${id}`).expect(404)
  })

  it('is kept in no cache where an extension answers: with a cookie, or to who is signed in', async () => {
    const visitor = ''
    const reader = await site.signIn('reader', 'subscriber')
    const headers = (of: string): Record<string, string> => {
      if (of === 'cookie') return { 'Set-Cookie': 'basket=7; Path=/', 'cache-control': 'public' }
      return of === 'public' ? { 'Cache-Control': 'public, max-age=60' } : {}
    }
    const undo = site.hooks.addAction('template_redirect', (page) => {
      const of = page.request.query.get('answer')
      if (of !== null) page.respond({ body: '<p>Hello</p>', headers: headers(of) })
    })
    const kept = async (of: string, cookie: string) => (await get(`/?answer=${of}`, cookie)).headers['cache-control']
    expect(await kept('cookie', visitor)).to.equal('private, no-store')
    expect(await kept('plain', reader)).to.equal('private, no-store')
    expect(await kept('plain', visitor)).to.equal(undefined)
    expect(await kept('public', reader)).to.equal('public, max-age=60')
    undo()
  })

  describe('a private post', () => {
    it('is shown to its author and to those who read private posts, and kept in no cache', async () => {
      for (const [login, role] of [
        ['writer', 'author'],
        ['chief', 'editor'],
      ] as const) {
        const { status, text, headers } = await get('/quetzal/', await site.signIn(login, role))
        expect(status).to.equal(200)
        expect(text).to.contain('Text Quetzal')
        expect(headers['cache-control']).to.equal('private, no-store')
        expect(headers.etag).to.equal(undefined)
      }
    })

    it('is not shown to other users', async () => {
      await get('/quetzal/', await site.signIn('stranger', 'author')).expect(404)
      await get('/quetzal/', await site.signIn('reader', 'subscriber')).expect(404)
    })

    it('is in the lists of those who may read it', async () => {
      expect((await get('/', await site.signIn('chief', 'editor'))).text).to.contain('Quetzal')
      expect((await get('/', await site.signIn('reader', 'subscriber'))).text).to.not.contain('Quetzal')
    })
  })

  describe('a draft', () => {
    it('is previewed by those who may edit it', async () => {
      const path = `/?p=${posts.draft.id}&preview=true`
      const { status, text, headers } = await get(path, await site.signIn('chief', 'editor'))
      expect(status).to.equal(200)
      expect(text).to.contain('Text Zeppelin')
      expect(text).to.contain('noindex')
      expect(headers['cache-control']).to.equal('private, no-store')
      await get(path, await site.signIn('hermit', 'author')).expect(200)
      await get(path, await site.signIn('stranger', 'author')).expect(404)
    })

    it('needs the word preview', async () => {
      await get(`/?p=${posts.draft.id}`, await site.signIn('chief', 'editor')).expect(404)
    })

    it('is not previewed in the trash', async () => {
      await get(`/?p=${posts.trash.id}&preview=true`, await site.signIn('chief', 'editor')).expect(404)
    })
  })

  describe('a post with a password', () => {
    const give = (form: Record<string, string>) =>
      request(site.http).post('/wp-login.php?action=postpass').type('form').send(form)

    it('shows a form instead of its text, picture and comments, and is kept in no cache', async () => {
      const { text, headers } = await get('/door/').expect(200)
      expect(textOf(text, 'h1')).to.equal('Protected: Behind the door')
      expect(text).to.contain('action="/wp-login.php?action=postpass"')
      expect(headers['cache-control']).to.equal('private, no-store')
    })

    it('opens with the password, for ten days', async () => {
      const answer = await give({ post_password: 'sesame', redirect_to: '/door/' })
      expect([answer.status, answer.headers.location]).to.deep.equal([303, '/door/'])
      const [cookie = ''] = answer.get('Set-Cookie') ?? []
      expect(cookie).to.match(/^wp-postpass=[\w-]{43}; Path=\/; Max-Age=864000; HttpOnly; SameSite=Lax$/)
      expect(cookie).to.not.contain('sesame')
      const { text, headers } = await get('/door/', cookie.split(';')[0])
      expect(text).to.contain('Text Yttrium')
      expect(text).to.contain('Comment Yttrium')
      expect(headers['cache-control']).to.equal('private, no-store')
    })

    it('stays closed with a wrong password, an empty one or a forged cookie', async () => {
      for (const password of ['wrong', '', 'Sesame']) {
        const [cookie = ''] = (await give({ post_password: password })).get('Set-Cookie') ?? []
        expect((await get('/door/', cookie.split(';')[0])).text).to.not.contain('Yttrium')
      }
      for (const cookie of ['wp-postpass=sesame', 'wp-postpass=', `wp-postpass=${'a'.repeat(43)}`])
        expect((await get('/door/', cookie)).text).to.not.contain('Yttrium')
    })

    it('shows an error only right after a wrong password', async () => {
      const tried = async (password: string, from: string) => {
        const [cookie = ''] = (await give({ post_password: password })).get('Set-Cookie') ?? []
        return (await get('/door/', cookie.split(';')[0]).set('Referer', from)).text
      }
      const door = 'http://127.0.0.1:8080/door/'
      expect(await tried('wrong', door)).to.contain('role="alert">Incorrect password. Please try again.')
      expect(await tried('wrong', `${door}?utm_source=x`)).to.contain('role="alert"')
      expect(await tried('wrong', 'http://127.0.0.1:8080/')).to.not.contain('role="alert"')
      expect(await tried('wrong', 'http://elsewhere.example/door/')).to.not.contain('role="alert"')
      expect(await tried('sesame', door)).to.not.contain('role="alert"')
      expect((await get('/door/').set('Referer', door)).text).to.not.contain('role="alert"')
    })

    it('shows nothing in lists to those who know the password either', async () => {
      const [cookie = ''] = (await give({ post_password: 'sesame' })).get('Set-Cookie') ?? []
      expect((await get('/', cookie.split(';')[0])).text).to.not.contain('Yttrium')
    })

    it('never sends the visitor to another site', async () => {
      for (const target of ['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)']) {
        const { headers } = await give({ post_password: 'x', redirect_to: target })
        expect(headers.location).to.equal('/')
      }
      const { headers } = await give({ post_password: 'x' }).set('Referer', 'http://127.0.0.1:8080/door/')
      expect(headers.location).to.equal('/door/')
    })

    it('rejects bodies that are not its form, and too many attempts', async () => {
      expect((await give({ post_password: 'x'.repeat(70_000) })).status).to.equal(413)
      let answer = await give({ post_password: 'guess' })
      for (let attempt = 0; attempt < 25; attempt++) answer = await give({ post_password: 'guess' })
      expect(answer.status).to.equal(429)
      expect(Number(answer.headers['retry-after'])).to.be.within(1, 300)
      const asked = await request(site.http).post('/wp-login.php?action=postpass&rest_route=/').type('form').send({})
      expect(asked.body).to.include({ code: 'rest_too_many_requests' })
    })
  })
})
