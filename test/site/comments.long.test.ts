import { expect } from 'chai'
import request from 'supertest'
import type { Post } from '../../cms/content/types.ts'
import { onEachDatabase } from '../support/databases.ts'
import { type SiteUnderTest, startSite, textOf } from './site-under-test.ts'

onEachDatabase('Comments on the public site', (databaseUrl) => {
  let site: SiteUnderTest
  let post: Post
  let said = 0
  beforeEach(async () => {
    site = await startSite({ databaseUrl: await databaseUrl() })
    site.hooks.addFilter('comment_flood_filter', () => false)
    const author = await site.auth.users.create({ login: 'author', displayName: 'The Author', roles: ['author'] })
    post = await site.content.posts.insert({ status: 'publish', title: 'Trains', authorId: author.id })
  })
  afterEach(() => site.close())

  const get = (path = '/trains/', cookie = '') => request(site.http).get(path).set('Cookie', cookie)
  const send = (fields: object = {}, cookie = '') =>
    request(site.http)
      .post('/wp-comments-post.php')
      .type('form')
      .set('Cookie', cookie)
      .send({
        author: 'Ann',
        email: 'ann@example.org',
        url: '',
        comment: `Words ${++said}`,
        comment_post_ID: post.id,
        comment_parent: 0,
        ...fields,
      })
  const insert = (fields: object = {}) =>
    site.content.comments.insert({
      ...{ postId: post.id, parentId: 0, userId: 0, authorName: 'Bob', authorEmail: 'bob@example.org', authorUrl: '' },
      ...{ authorAddress: '', userAgent: '', content: 'Approved words', status: 'approved', type: 'comment' },
      ...{ date: '', dateGmt: '', ...fields },
    })
  const refusal = async (fields: object, cookie = '') => {
    const { status, text } = await send(fields, cookie)
    return `${status} ${textOf(text, 'main').split('\n')[1] ?? ''}`
  }

  it('takes a comment without any script and sends the visitor to it', async () => {
    await insert({ authorName: 'Ann', authorEmail: 'ann@example.org' })
    const { status, headers } = await send({ comment: 'Hello <b>there</b><script>alert(1)</script>' })
    expect(status).to.equal(302)
    expect(headers.location).to.match(/^http:\/\/127\.0\.0\.1:8080\/trains\/#comment-\d+$/)
    const { text } = await get()
    expect(text).to.contain('Hello <b>there</b>')
    expect(text).to.not.contain('alert(1)')
    expect(textOf(text, 'h2')).to.equal('2 comments')
  })

  it('shows one that waits to its author only, and says so', async () => {
    const { headers } = await send({ comment: 'Let me in' })
    const address = new URL(headers.location ?? '')
    const own = await get(address.pathname + address.search)
    expect(own.text).to.contain('awaiting moderation').and.to.contain('Let me in')
    expect(textOf(own.text, 'h2'), 'not “0 comments”').to.equal('Comments')
    expect(own.headers['cache-control']).to.equal('private, no-store')
    expect(own.text).to.contain('noindex')
    expect((await get()).text).to.not.contain('Let me in')
    address.searchParams.set('moderation-hash', 'wrong')
    expect((await get(address.pathname + address.search)).text).to.not.contain('Let me in')
  })

  it('shows a pending comment to its author only', async () => {
    const reader = await site.signIn('reader', 'subscriber')
    expect((await send({ comment: 'From a user', author: '', email: '' }, reader)).status).to.equal(302)
    expect((await get('/trains/', reader)).text)
      .to.contain('From a user')
      .and.to.contain('awaiting moderation')
    expect((await get('/trains/', await site.signIn('other', 'subscriber'))).text).to.not.contain('From a user')
  })

  it('refuses what another website sends with its visitors', async () => {
    const fields = { author: 'Ann', email: 'ann@example.org', comment: 'Buy', comment_post_ID: post.id }
    const from = (headers: Record<string, string>) =>
      request(site.http).post('/wp-comments-post.php').type('form').set(headers).send(fields)
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'http://127.0.0.1:8080', 'Sec-Fetch-Site': 'same-site' },
    ]) {
      const { status, text } = await from(headers)
      expect(status, JSON.stringify(headers)).to.equal(403)
      expect(text).to.contain('sent from another website')
    }
    expect(await site.content.comments.ofPost(post.id)).to.deep.equal([])
    await from({ Origin: 'http://127.0.0.1:8080', 'Sec-Fetch-Site': 'same-origin' }).expect(302)
  })

  it('says in words what is wrong', async () => {
    expect(await refusal({ author: '' })).to.contain('400 Please fill in your name')
    expect(await refusal({ email: 'nowhere' })).to.contain('400 Please enter a valid email address.')
    expect(await refusal({ comment: '  ' })).to.contain('400 Please type your comment text.')
    expect(await refusal({ author: '<b> </b>' })).to.contain('400 Please fill in your name')
    expect(await refusal({ comment: '<script>alert(1)</script>' })).to.contain('400 Please type your comment text.')
    expect(await refusal({ author: 'x'.repeat(300) })).to.contain('400 Your name is too long.')
    expect(await refusal({ comment_post_ID: 99_999 })).to.contain('404')
    expect(await refusal({ comment_post_ID: 'x' })).to.contain('404')
    await send({ comment: 'Once' })
    expect(await refusal({ comment: 'Once' })).to.contain('409 Duplicate comment detected')
    expect((await request(site.http).get('/wp-comments-post.php')).status).to.equal(405)
  })

  it('takes nothing for a closed post, a draft or one whose password is not given', async () => {
    const other = async (fields: object) => {
      const { id } = await site.content.posts.insert({ status: 'publish', title: 'Other', ...fields })
      return (await send({ comment_post_ID: id })).status
    }
    expect(await other({ commentStatus: 'closed' })).to.equal(403)
    expect(await other({ password: 'sesame' })).to.equal(403)
    expect(await other({ status: 'draft' })).to.equal(404)
    expect(await other({ status: 'private' })).to.equal(404)
    await site.content.posts.update(post.id, { commentStatus: 'closed' })
    await insert()
    const { text } = await get()
    expect(text).to.contain('Comments are closed.').and.to.not.contain('<form id="commentform"')
  })

  it('catches programs that fill in every field', async () => {
    const { text } = await get()
    const trap = /<input id="([\w]+)" name="\1" type="text" tabindex="-1"/.exec(text)?.[1] ?? ''
    expect(await refusal({ [trap]: 'spam' })).to.contain('403 This comment looks like spam')
    expect((await site.content.comments.query({})).total).to.equal(0)
  })

  it('lets one address say only so much in a while', async () => {
    for (let at = 0; at < 10; at++) expect((await send()).status).to.equal(302)
    const { status, headers, text } = await send()
    expect(status).to.equal(429)
    expect(Number(headers['retry-after'])).to.be.within(1, 300)
    expect(text).to.contain('too quickly')
  })

  it('makes links of addresses, vouching for none, and leaves links and code alone', async () => {
    const link = (href: string, text = href) => `<a href="${href}" rel="nofollow ugc">${text}</a>`
    const said: Record<string, string> = {
      'See https://a.example/b_c?x=1&y=2.': `See ${link('https://a.example/b_c?x=1&amp;y=2')}.`,
      '(www.a.example)': `(${link('http://www.a.example/', 'www.a.example')})`,
      'https://a.example/b_(c)': link('https://a.example/b_(c)'),
      '<a href="https://a.example/">https://a.example/</a>': link('https://a.example/'),
      '<code>https://a.example/</code>': '<code>https://a.example/</code>',
      '"https://a.example/"><b>x</b>': `&#8220;${link('https://a.example/')}&#8220;&gt;<b>x</b>`,
      'https:// javascript:alert(1) x@www.a.example': 'https:// javascript:alert(1) x@www.a.example',
    }
    for (const content of Object.keys(said)) await insert({ content })
    const shown = [...(await get()).text.matchAll(/<div class="comment-content"><p>(.*)<\/p>/g)].map(([, html]) => html)
    expect(shown).to.deep.equal(Object.values(said))
    const { text: feed } = await get('/comments/feed/')
    expect(feed).to.contain(link('https://a.example/b_(c)'))
  })

  it('offers an answer to each comment, and keeps it below the one it answers', async () => {
    const first = await insert({ authorName: 'Bob &amp; Co' })
    const { text } = await get()
    expect(text).to.contain(`href="/trains/?replytocom=${first.id}#respond"`)
    const form = await get(`/trains/?replytocom=${first.id}`)
    expect(form.text).to.contain(`name="comment_parent" value="${first.id}"`).and.to.contain('Reply to Bob &amp; Co')
    await insert({ authorName: 'Ann', authorEmail: 'ann@example.org' })
    const { headers } = await send({ comment_parent: first.id, comment: 'An answer' })
    const id = Number(/#comment-(\d+)$/.exec(headers.location ?? '')?.[1])
    expect((await site.content.comments.get(id))?.parentId).to.equal(first.id)
    const list = (await get()).text
    expect(list.indexOf('class="children"')).to.be.lessThan(list.indexOf('An answer'))
    expect(list.indexOf('class="children"')).to.be.greaterThan(0)
  })

  it('rejects replies to pending comments and to comments of other posts', async () => {
    const waiting = await insert({ status: 'hold' })
    const elsewhere = await site.content.posts.insert({ status: 'publish', title: 'Elsewhere' })
    const foreign = await insert({ postId: elsewhere.id })
    for (const { id } of [waiting, foreign]) expect((await send({ comment_parent: id })).status).to.equal(403)
  })

  it('asks visitors to sign in where only users may comment', async () => {
    await site.settings.get('discussion')?.update({ commentRegistration: 'on' })
    const { text } = await get()
    expect(text).to.contain('/wp-login.php?redirect_to=%2Ftrains%2F%23respond').and.to.not.contain('id="commentform"')
    expect((await send()).status).to.equal(403)
    const reader = await site.signIn('reader', 'subscriber')
    expect((await get('/trains/', reader)).text).to.contain('Logged in as reader.')
    expect((await send({}, reader)).status).to.equal(302)
  })

  it('labels every field, for those who do not see the form', async () => {
    const { text } = await get()
    for (const [, id] of text.matchAll(/<(?:textarea|input) id="(\w+)" name="(?:comment|author|email|url)"/g)) {
      expect(text).to.contain(`<label for="${id}">`)
    }
    expect(text).to.match(/<section id="comments"[^>]* aria-labelledby="reply-title"/)
  })

  it('shows the current page, not a cached one, after a comment was approved or trashed', async () => {
    const comment = await insert({ status: 'hold' })
    expect((await get()).text).to.not.contain('Approved words')
    await site.content.comments.setStatus(comment.id, 'approved')
    expect((await get()).text).to.contain('Approved words')
    await site.content.comments.setStatus(comment.id, 'trash')
    expect((await get()).text).to.not.contain('Approved words')
  })
})
