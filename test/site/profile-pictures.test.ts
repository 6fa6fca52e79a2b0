import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import sharp from 'sharp'

const SPEED = join(import.meta.dirname, '../../plugins/speed')

describe('The author of a post', () => {
  let site: TestHost
  let userId: number
  let authorization: string

  before(async () => {
    site = await createTestHost({ extensions: [SPEED] })
    const { auth, content } = site.host
    const user = await auth.users.create({
      login: 'nora',
      displayName: 'nora',
      description: 'Walks.',
      roles: ['author'],
    })
    userId = user.id
    const { password } = await auth.applicationPasswords.create(userId, 'test')
    authorization = `Basic ${btoa(`nora:${password}`)}`
    await content.posts.insert({
      ...{ title: 'Hills', slug: 'hills', status: 'publish', authorId: userId },
      content: `<!-- wp:paragraph -->\n<p>${'walk '.repeat(200)}</p>\n<!-- /wp:paragraph -->`,
    })
  })
  after(() => site.close())

  async function choose(id: number): Promise<Response> {
    const headers = { authorization, 'content-type': 'application/json' }
    const body = JSON.stringify({ profile_picture: id })
    return fetch(`${site.url}/wp-json/wp/v2/users/me?context=edit`, { method: 'POST', headers, body })
  }

  async function upload(): Promise<{ id: number; url: string }> {
    const source = await sharp({ create: { width: 400, height: 300, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer()
    const { id } = await site.host.content.media.upload({ name: 'nora.jpg', source })
    const post = await site.host.content.posts.get(id)
    const details = post && (await site.host.content.media.details([post])).get(id)
    return { id, url: details?.sizes.thumbnail?.url ?? '' }
  }

  const text = async (path: string) => (await site.get(path)).text()
  it('is shown with the picture in comments, avatar blocks, and REST, and without it as soon as it is removed', async () => {
    const { auth, content } = site.host
    const { id, url } = await upload()
    const reader = await auth.users.create({ login: 'rita', displayName: 'Rita', roles: ['subscriber'] })
    await content.meta.set('user', reader.id, 'profile_picture', id)
    const blocks = [
      '<!-- wp:post-author {"showAvatar":true} /-->',
      '<!-- wp:comments --><!-- wp:comment-template --><!-- wp:avatar {"size":48} /--><!-- /wp:comment-template --><!-- /wp:comments -->',
      '<!-- wp:latest-comments {"displayAvatar":true} /-->',
    ]
    const post = await content.posts.insert({
      ...{ title: 'Talk', slug: 'talk', status: 'publish', authorId: userId, content: blocks.join('\n') },
    })
    const at = { date: '2026-01-07T08:00:00', dateGmt: '2026-01-07T08:00:00', authorUrl: '', authorAddress: '' }
    const comment = { ...at, postId: post.id, parentId: 0, userAgent: '', status: 'approved' as const, type: 'comment' }
    await content.comments.insert({
      ...{ ...comment, userId: reader.id, authorName: 'Rita', authorEmail: 'rita@example.org', content: 'Hi' },
    })
    await content.comments.insert({
      ...{ ...comment, userId: 0, authorName: 'Guest', authorEmail: 'guest@example.org', content: 'Hello' },
    })
    const list = async () => {
      const response = await site.get(`/wp-json/wp/v2/comments?post=${post.id}&order=asc`)
      const comments = (await response.json()) as { author_avatar_urls: Record<string, string> }[]
      return comments.map((one) => one.author_avatar_urls[48] ?? '')
    }
    const gravatar = /^https:\/\/secure\.gravatar\.com\//

    await text('/talk/')
    const shown = await text('/talk/')
    const images = [...shown.matchAll(/<img [^>]*avatar[^>]*>/g)].map(([tag]) => tag)
    // In the comment list of the theme, in the block for comments, and in the latest comments.
    expect(images.filter((tag) => tag.includes(url))).to.have.length(3)
    expect(images.filter((tag) => gravatar.test(/src="?([^" >]+)/.exec(tag)?.[1] ?? ''))).to.have.length(3)
    expect(shown).to.match(/class="?avatar"?[^>]*>G<\/span>/)
    const [rita, guest] = await list()
    expect(rita).to.equal(url)
    expect(guest).to.match(gravatar)

    await content.meta.delete('user', reader.id, 'profile_picture')
    expect(await text('/talk/')).to.not.include(url)
    for (const one of await list()) expect(one).to.match(gravatar)
  })

  const avatars = (html: string) => [...html.matchAll(/<(img|span) class="?avatar"?[^>]*>/g)].map(([tag]) => tag)

  it('is shown with an initial and the reading time, without requests to other sites', async () => {
    const html = await text('/hills/')
    expect(html).to.match(/class="?avatar"?[^>]*>N<\/span>/)
    expect(html).to.include('2 min read')
    expect(html).to.not.include('gravatar')
  })

  it('is shown with a profile picture on cached pages as soon as it is chosen, and without it when it is removed', async () => {
    const { id, url } = await upload()
    const paths = ['/', '/hills/', '/author/nora/']
    for (const path of [...paths, ...paths]) await text(path)
    expect((await site.get('/hills/')).headers.get('x-cache')).to.be.oneOf(['HIT', 'STALE'])
    const response = await choose(id)
    expect(response.status).to.equal(200)
    expect(await response.json()).to.have.property('profile_picture', id)
    for (const path of paths) {
      const shown = avatars(await text(path))
      expect(shown, path).to.not.deep.equal([])
      for (const tag of shown) expect(tag, path).to.include(url)
    }
    const author = await (await site.get(`/wp-json/wp/v2/users/${userId}`)).json()
    expect(author).to.have.property('avatar_urls').that.deep.equals({ 24: url, 48: url, 96: url })
    expect((await choose(0)).status).to.equal(200)
    for (const path of paths) expect(await text(path), path).to.not.include(url)
  })

  it('has no picture that visitors may not see, or that is not an image', async () => {
    const { content } = site.host
    const { id, url } = await upload()
    await choose(id)
    expect(await text('/hills/')).to.include(url)
    const draft = await content.posts.insert({ title: 'Draft', status: 'draft', authorId: userId })
    await content.posts.update(id, { parentId: draft.id })
    expect(await text('/hills/')).to.not.include(url)
    await content.posts.update(id, { parentId: 0 })
    expect(await text('/hills/')).to.include(url)
    await content.posts.delete(id)
    expect(await text('/hills/')).to.match(/class="?avatar"?[^>]*>N<\/span>/)
    expect((await choose(-1)).status).to.equal(400)
    expect((await choose(draft.id)).status).to.equal(200)
    expect(await text('/hills/')).to.match(/class="?avatar"?[^>]*>N<\/span>/)
  })
})
