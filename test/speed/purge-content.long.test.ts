import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import sharp from 'sharp'
import { type SpeedSite, startSpeedSite } from './speed-site.ts'

/** Pages with the menu of the theme. */
const HTML = [
  ...['/', '/first/', '/second/', '/third/', '/about/', '/about/team/', '/nowhere/', '/author/ann/', '/author/bob/'],
  ...['/category/travel/', '/category/travel/europe/', '/category/food/'],
  ...['/2025/', '/2025/01/', '/2025/02/', '/2025/03/05/'],
]
const POST_MAP = '/wp-sitemap-posts-post-1.xml'
const PAGE_MAP = '/wp-sitemap-posts-page-1.xml'
/** The second says when the list of posts was changed last. */
const MAPS = [POST_MAP, PAGE_MAP]
const PAGES = [...HTML, '/feed/', '/comments/feed/', POST_MAP, PAGE_MAP]

/** What shows each post: itself, the posts beside it, and the lists that it stands in. */
const FIRST = ['/first/', '/second/', '/', '/feed/', '/category/travel/', '/category/travel/europe/', '/author/ann/']
const FIRST_SHOWN = [...FIRST, '/2025/', '/2025/01/']
const SECOND_SHOWN = [
  ...['/first/', '/second/', '/third/', '/', '/feed/', '/category/food/', '/author/bob/', '/2025/', '/2025/02/'],
]
const THIRD_SHOWN = [
  ...['/second/', '/third/', '/', '/feed/', '/category/food/', '/author/ann/', '/2025/', '/2025/03/05/'],
]

describe('what a change purges', () => {
  let speed: SpeedSite

  beforeEach(async () => {
    speed = await startSpeedSite()
    // With so few posts, each would show all others.
    await showRelated(false)
  })
  afterEach(() => speed.site.close())

  const showRelated = (relatedPosts: boolean) => speed.site.host.settings.get('appearance')?.update({ relatedPosts })
  const send = async (method: string, route: string, body?: object) => {
    const answer = await speed.site.request(`/wp-json/wp/v2/${route}`, {
      method,
      as: 'administrator',
      ...(body && { body }),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return answer
  }

  /** Visitors have all pages from the cache; after the change those that it concerns are rendered anew, and no others. */
  async function expectGone(change: () => Promise<unknown>, gone: readonly string[]): Promise<void> {
    await speed.fill(PAGES)
    await change()
    expect(await speed.gone(PAGES)).to.have.members([...new Set(gone)])
  }

  describe('posts', () => {
    it('edited: where it shows, and nothing else', () =>
      expectGone(() => send('POST', `posts/${speed.ids.first}`, { content: 'Other' }), [...FIRST_SHOWN, ...MAPS]))

    it('published: its lists, the posts beside it, and what was not found', () =>
      expectGone(
        () =>
          send('POST', 'posts', {
            ...{ title: 'Fourth', status: 'publish', date: '2025-02-10T08:00:00' },
            ...{ author: speed.ids.bob, categories: [speed.ids.food] },
          }),
        [
          ...['/', '/feed/', '/second/', '/third/', '/category/food/', '/author/bob/', '/2025/', '/2025/02/'],
          ...['/nowhere/', ...MAPS],
        ],
      ))

    it('published at a URL that was requested before: it is found immediately', async () => {
      expect((await speed.site.get('/fourth/')).status).to.equal(404)
      await speed.fill(['/fourth/'])
      await send('POST', 'posts', { title: 'Fourth', status: 'publish' })
      expect((await speed.site.get('/fourth/')).status).to.equal(200)
    })

    it('trashed and deleted: the pages that showed it', async () => {
      await expectGone(() => send('DELETE', `posts/${speed.ids.second}`), [...SECOND_SHOWN, '/nowhere/', ...MAPS])
      expect((await speed.site.get('/second/')).status).to.equal(404)
      await expectGone(
        () => send('DELETE', `posts/${speed.ids.third}?force=true`),
        [
          ...['/third/', '/first/', '/', '/feed/', '/category/food/', '/author/ann/', '/2025/', '/2025/03/05/'],
          ...['/nowhere/', '/second/', '/author/bob/', '/2025/02/', ...MAPS],
        ],
      )
    })

    it('moved to another date: the archives of both, and the posts beside it before and after', () =>
      expectGone(
        () => send('POST', `posts/${speed.ids.third}`, { date: '2025-01-10T08:00:00' }),
        [...THIRD_SHOWN, '/2025/01/', '/first/', '/nowhere/', ...MAPS],
      ))

    it('moved to another category: the archives of both and of those above them, and the related posts', async () => {
      await showRelated(true)
      await expectGone(
        () => send('POST', `posts/${speed.ids.first}`, { categories: [speed.ids.food] }),
        [...FIRST_SHOWN, '/category/food/', '/third/', ...MAPS],
      )
    })

    it('given to another author: the archives of both', () =>
      expectGone(
        () => send('POST', `posts/${speed.ids.first}`, { author: speed.ids.bob }),
        [...FIRST_SHOWN, '/author/bob/', '/nowhere/', ...MAPS],
      ))

    it('given a password, or a new address', async () => {
      const gone = [...FIRST_SHOWN, '/nowhere/', ...MAPS]
      await expectGone(() => send('POST', `posts/${speed.ids.first}`, { slug: 'erste' }), gone.slice(1))
      expect((await speed.site.get('/first/')).status).to.equal(301)
      await speed.fill(['/erste/', '/'])
      await send('POST', `posts/${speed.ids.first}`, { password: 'secret' })
      expect(await speed.gone(['/'])).to.deep.equal(['/'])
      expect(await (await speed.site.get('/erste/')).text()).to.contain('type="password"')
      // Feeds have no posts with a password.
      await speed.fill(['/feed/'])
      await send('POST', `posts/${speed.ids.first}`, { password: '' })
      expect(await (await speed.site.get('/feed/')).text()).to.contain('/erste/')
    })

    it('given a new address, another author, or made sticky: no list that shows others', async () => {
      const body = { posts_per_page: 1 }
      await speed.site.request('/wp-json/wp/v2/settings', { method: 'POST', as: 'administrator', body })
      const others = ['/page/2/', '/page/3/', '/2025/page/2/', '/category/food/page/2/']
      await speed.fill(others)
      await send('POST', `posts/${speed.ids.third}`, { slug: 'dritte' })
      await send('POST', `posts/${speed.ids.third}`, { author: speed.ids.bob })
      expect(await speed.gone(others)).to.deep.equal([])
      await send('POST', `posts/${speed.ids.first}`, { sticky: true })
      expect(await speed.gone(others)).to.deep.equal(['/page/2/', '/page/3/'])
    })

    it('drafts, private posts and autosaves: nothing', () =>
      expectGone(async () => {
        const draft = await speed.site.host.content.posts.insert({ title: 'Draft', status: 'draft' })
        await send('POST', `posts/${draft.id}`, { content: 'More' })
        await send('POST', `posts/${draft.id}`, { status: 'private', categories: [speed.ids.food] })
        await send('DELETE', `posts/${draft.id}?force=true`)
        await send('POST', `posts/${speed.ids.first}/autosaves`, { content: 'Not saved yet' })
      }, []))

    it('scheduled: when it is published', async () => {
      const { posts } = speed.site.host.content
      await speed.fill(['/', '/about/'])
      const soon = new Date(Date.now() + 1500).toISOString().slice(0, 19)
      const { id } = await posts.insert({ title: 'Soon', status: 'future', date: soon })
      while ((await posts.get(id))?.status !== 'publish') await wait(50)
      expect(await (await speed.site.get('/')).text()).to.contain('Soon')
      expect(await speed.visit('/about/')).to.equal('HIT')
    })

    it('meta: where the post shows; what only the editor keeps: nothing', async () => {
      const { meta } = speed.site.host.content
      await expectGone(() => meta.set('post', speed.ids.first, 'price', 7), FIRST_SHOWN)
      await expectGone(() => meta.set('post', speed.ids.first, '_edit_lock', 'now'), [])
    })

    it('changes of no post at all: nothing while purgeOnUpdate is off', async () => {
      const body = { settings: { purgeOnUpdate: 'off' } }
      await speed.site.request('/wp-json/speed/v1/settings', { method: 'PUT', as: 'administrator', body })
      await expectGone(() => send('POST', `posts/${speed.ids.first}`, { content: 'Other' }), [])
    })
  })

  describe('pages', () => {
    it('edited: itself and the pages that name it', () =>
      expectGone(
        () => send('POST', `pages/${speed.ids.about}`, { content: 'Other' }),
        ['/about/', '/about/team/', PAGE_MAP],
      ))

    it('renamed: every page with its name in the menu', () =>
      expectGone(() => send('POST', `pages/${speed.ids.about}`, { title: 'Us' }), [...HTML, PAGE_MAP]))

    it('in a menu, renamed: every page with that menu; edited: as without one', async () => {
      const { menus, terms } = speed.site.host.content
      const menu = await terms.insert('nav_menu', { name: 'Main' })
      await menus.addItem(menu.id, { type: 'post_type', objectId: speed.ids.third })
      await menus.addItem(menu.id, { type: 'taxonomy', objectId: speed.ids.europe })
      await expectGone(() => menus.place(menu.id, ['primary']), PAGES)
      await expectGone(() => send('POST', `posts/${speed.ids.first}`, { content: 'Else' }), [...FIRST_SHOWN, ...MAPS])
      await expectGone(() => send('POST', `posts/${speed.ids.third}`, { title: '3' }), [...HTML, '/feed/', ...MAPS])
      await expectGone(() => send('POST', `categories/${speed.ids.europe}`, { name: 'EU' }), [...HTML, '/feed/'])
      await expectGone(() => menus.addItem(menu.id, { title: 'New', url: '/new/' }), PAGES)
    })

    it('moved: pages below it too, under both addresses', async () => {
      await speed.fill([...HTML, '/feed/'])
      // A page that is not found leads to the one with that slug.
      expect((await speed.site.get('/us/team/')).status).to.equal(301)
      await send('POST', `pages/${speed.ids.about}`, { slug: 'us' })
      expect((await speed.site.get('/us/team/')).status).to.equal(200)
      expect((await speed.site.get('/about/team/')).status).to.equal(301)
      expect(await speed.visit('/feed/')).to.equal('HIT')
    })

    it('below another page: only where they are listed', () =>
      expectGone(
        () => send('POST', 'pages', { title: 'Jobs', status: 'publish', parent: speed.ids.about }),
        ['/about/', '/nowhere/', PAGE_MAP],
      ))
  })

  describe('media', () => {
    it('changed: the pages that show the picture', async () => {
      const { content } = speed.site.host
      const source = await sharp({ create: { width: 4, height: 3, channels: 3, background: 'red' } })
        .png()
        .toBuffer()
      const picture = await content.media.upload({ source, name: 'red.png' })
      const image = `<img class="wp-image-${picture.id}" src="/wp-content/uploads/red.png" alt="">`
      await content.posts.update(speed.ids.about, { content: image })
      await content.meta.set('post', speed.ids.first, '_thumbnail_id', picture.id)
      await expectGone(
        () => content.meta.set('post', picture.id, '_wp_attachment_image_alt', 'Red'),
        [...FIRST_SHOWN.filter((path) => path !== '/second/' && path !== '/feed/'), '/feed/', '/about/'],
      )
    })

    it('uploaded: nothing but what was not found', async () => {
      const source = await sharp({ create: { width: 4, height: 3, channels: 3, background: 'red' } })
        .png()
        .toBuffer()
      await expectGone(() => speed.site.host.content.media.upload({ source, name: 'blue.png' }), ['/nowhere/'])
    })
  })

  describe('comments', () => {
    const comment = (status: 'approved' | 'hold') =>
      speed.site.host.content.comments.insert({
        ...{ postId: speed.ids.third, parentId: 0, userId: 0, authorName: 'Eve', authorEmail: '', authorUrl: '' },
        ...{ authorAddress: '', userAgent: '', content: 'Well', status, type: 'comment' },
        ...{ date: '2025-03-06T08:00:00', dateGmt: '2025-03-06T08:00:00' },
      })
    const shown = [...THIRD_SHOWN, '/comments/feed/']

    it('approved, edited, marked as spam, deleted: where the post shows, and the feed of comments', async () => {
      const { comments } = speed.site.host.content
      await expectGone(() => comment('approved'), shown)
      const waiting = await comment('hold')
      await expectGone(() => comments.setStatus(waiting.id, 'approved'), shown)
      await expectGone(() => comments.update(waiting.id, { content: 'Better' }), shown)
      await expectGone(() => comments.setStatus(waiting.id, 'spam'), shown)
      await comments.setStatus(waiting.id, 'approved')
      await expectGone(() => comments.delete(waiting.id), shown)
    })

    it('moved to another post: where each of the two shows', () =>
      expectGone(async () => {
        const { id } = await comment('approved')
        await speed.fill(PAGES)
        await speed.site.host.content.comments.update(id, { postId: speed.ids.first })
      }, [...shown, ...FIRST_SHOWN]))

    it('that wait: nothing', () => expectGone(() => comment('hold'), []))
  })

  describe('terms', () => {
    it('renamed: wherever the name stands', () =>
      expectGone(
        () => send('POST', `categories/${speed.ids.food}`, { name: 'Meals' }),
        [
          ...['/', '/feed/', '/second/', '/third/', '/category/food/', '/author/ann/', '/author/bob/'],
          ...['/2025/', '/2025/02/', '/2025/03/05/'],
        ],
      ))

    it('moved: those below too, under both addresses', async () => {
      const gone = [
        ...['/', '/feed/', '/first/', '/category/travel/', '/category/travel/europe/', '/author/ann/'],
        ...['/2025/', '/2025/01/', '/nowhere/'],
      ]
      await speed.fill(PAGES)
      await send('POST', `categories/${speed.ids.travel}`, { slug: 'trips' })
      const isMoved = (path: string) => path.startsWith('/category/travel/')
      const kept = PAGES.filter((path) => !isMoved(path))
      expect(await speed.gone(kept)).to.have.members(gone.filter((path) => !isMoved(path)))
      expect((await speed.site.get('/category/trips/europe/')).status).to.equal(200)
      expect((await speed.site.get('/category/travel/europe/')).status).to.equal(301)
    })

    it('deleted: its archive, those above it and where it stood', () =>
      expectGone(() => send('DELETE', `categories/${speed.ids.europe}?force=true`), [...FIRST_SHOWN, '/nowhere/']))
  })

  describe('users', () => {
    it('renamed: wherever the name stands', async () => {
      await showRelated(true)
      await expectGone(
        () => send('POST', `users/${speed.ids.bob}`, { name: 'Robert' }),
        // The other posts have a card of the second one, which is by Bob.
        ['/', '/feed/', '/first/', '/second/', '/third/', '/category/food/', '/author/bob/', '/2025/', '/2025/02/'],
      )
    })

    it('whose password or role changes: nothing', () =>
      expectGone(async () => {
        await speed.site.host.auth.users.update(speed.ids.bob, { password: 'another one 4 Bob' })
        await send('POST', `users/${speed.ids.bob}`, { roles: ['editor'] })
      }, []))
  })

  describe('the site', () => {
    it('settings and other extensions’ settings: all pages', async () => {
      await expectGone(() => send('POST', 'settings', { title: 'New title' }), PAGES)
      await expectGone(() => speed.site.host.options.update('shop_settings', { currency: 'EUR' }), PAGES)
      await expectGone(() => speed.site.host.options.update('blog_public', '0'), PAGES)
      expect(await (await speed.site.get('/')).text()).to.contain('noindex')
    })

    it('other options, and the service’s own settings: nothing', async () => {
      await expectGone(() => speed.site.host.options.update('shop_counter', 7), [])
      const body = { settings: { cacheTtlSeconds: 3600 } }
      await expectGone(
        () => speed.site.request('/wp-json/speed/v1/settings', { method: 'PUT', as: 'administrator', body }),
        [],
      )
    })

    it('an extension switched on or off: all pages', async () => {
      const switchIt = (verb: string) =>
        speed.site.request(`/wp-json/host/v1/extensions/reading-time/${verb}`, { method: 'POST', as: 'administrator' })
      await expectGone(() => switchIt('activate'), PAGES)
      await expectGone(() => switchIt('reload'), PAGES)
      await expectGone(() => switchIt('deactivate'), PAGES)
    })

    it('a file of the theme, in a local environment', async () => {
      await speed.fill(['/', '/about/'])
      const folder = join(speed.site.host.config.siteDir, 'themes', 'default')
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, '404.eta'), 'Gone away')
      while ((await speed.visit('/')) === 'HIT') await wait(20)
      expect(await (await speed.site.get('/nowhere/')).text()).to.contain('Gone away')
    })
  })

  describe('the action speed_purge', () => {
    it('purges pages by tag and by URL, regardless of purgeOnUpdate', async () => {
      const { hooks } = speed.site.host
      await expectGone(
        () => hooks.doActionAsync('speed_purge', { tags: [`author-${speed.ids.bob}`] }),
        ['/', '/feed/', '/second/', '/category/food/', '/author/bob/', '/2025/', '/2025/02/'],
      )
      const urls = ['/about/', `${speed.site.url}/third/?utm_source=x`]
      await expectGone(() => hooks.doActionAsync('speed_purge', { urls }), ['/about/', '/third/'])
    })

    it('ignores invalid tags and URLs of other sites', async () => {
      const { hooks } = speed.site.host
      const urls = ['https://example.org/about/', '//example.org/', '/a/../about/', 'about', 'ftp://x/']
      await expectGone(() => hooks.doActionAsync('speed_purge', { urls, tags: ['a tag', '*', ''] }), [])
    })
  })
})
