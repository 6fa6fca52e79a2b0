import { expect } from 'chai'
import { openWxrExport, writeWxr } from '../../cms/content/export/index.ts'
import type { Post } from '../../cms/content/types.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { type OwnSite, openOwnSite } from './own-site.ts'

/** As a guide says: a site is imported and tried at one address, then served at another. */
describe('The editor and the export of a site that got another address', () => {
  const siteDir = temporaryFolder()
  const TRIED = 'http://127.0.0.1:8080'
  const NOW = 'https://example.org'
  const image = (url: string) => `<img src="${url}/wp-content/uploads/bread.jpg" alt="">`
  const text = (url: string) => `<!-- wp:html -->${image(url)}<!-- /wp:html -->`
  let site: OwnSite
  let admin: string
  let post: Post
  let media: Post
  let pattern: Post
  let categoryId: number
  let entryId: number
  let commentId: number

  before(async () => {
    const tried = await openOwnSite(undefined, { siteDir, url: TRIED })
    const { content } = tried.host
    const written = { status: 'publish', content: text(TRIED), excerpt: image(TRIED) }
    post = await content.posts.insert({ ...written, title: 'Bread', slug: 'bread', meta: { link: [`${TRIED}/a/`] } })
    media = await content.posts.insert({ ...written, type: 'attachment', status: 'inherit', title: 'Picture' })
    pattern = await content.posts.insert({ ...written, type: 'wp_block', title: 'Pattern' })
    categoryId = (await content.terms.insert('category', { name: 'Food', description: `See ${TRIED}/food/` })).id
    const menu = await content.terms.insert('nav_menu', { name: 'Main' })
    const entry = { type: 'custom' as const, title: 'About', url: `${TRIED}/about/` }
    entryId = (await content.menus.addItem(menu.id, entry)).id
    const comment = await content.comments.insert({
      ...{ postId: post.id, parentId: 0, userId: 0, authorName: 'Ann', authorEmail: '', authorUrl: TRIED },
      ...{ authorAddress: '', userAgent: '', content: `See ${TRIED}/b/`, status: 'approved', type: 'comment' },
      ...{ date: '', dateGmt: '' },
    })
    commentId = comment.id
    await content.posts.update(post.id, { title: 'Fresh bread' })
    await tried.close()
    site = await openOwnSite(undefined, { siteDir, url: NOW })
    admin = await site.signIn('admin', 'administrator')
  })
  after(() => site.close())

  const read = async (path: string) => (await site.ask(`GET /wp/v2/${path}?context=edit`, undefined, admin)).item
  const revisions = async () => {
    const { body } = await site.ask(`GET /wp/v2/posts/${post.id}/revisions?context=edit`, undefined, admin)
    return body
  }

  it('show its present address in what is edited', async () => {
    const { content, excerpt } = await read(`posts/${post.id}`)
    expect(content).to.include({ raw: text(NOW) })
    expect(excerpt).to.include({ raw: image(NOW) })
    const { description, caption } = await read(`media/${media.id}`)
    expect(description).to.include({ raw: text(NOW) })
    expect(caption).to.include({ raw: image(NOW) })
    expect((await read(`blocks/${pattern.id}`)).content).to.include({ raw: text(NOW) })
    expect((await read(`comments/${commentId}`)).content).to.include({ raw: `See ${NOW}/b/` })
    expect((await read(`categories/${categoryId}`)).description).to.equal(`See ${NOW}/food/`)
    expect((await read(`menu-items/${entryId}`)).url).to.equal(`${NOW}/about/`)
    const kept = JSON.stringify(await revisions(), (key, value) => (key === 'guid' ? undefined : value))
    expect(kept)
      .to.include(JSON.stringify(text(NOW)).slice(1, -1))
      .and.not.include(TRIED)
  })

  it('show it in declared meta', async () => {
    const undo = site.host.content.registerMeta('post', 'link', { single: true, showInRest: true })
    try {
      const meta = (await read(`posts/${post.id}`)).meta
      expect(meta).to.include({ link: `${NOW}/a/` })
    } finally {
      undo()
    }
  })

  it('show it to visitors in menus, comments and descriptions', async () => {
    const { content } = site.host
    expect((await content.menus.items({ ids: [entryId] }))[0]?.link).to.equal(`${NOW}/about/`)
    const comment = await content.comments.get(commentId)
    expect(comment && content.renderComment(comment))
      .to.include(`${NOW}/b/`)
      .and.not.include(TRIED)
    const archive = await (await fetch(`${site.url}/category/food/`)).text()
    expect(archive).to.include(`${NOW}/food/`).and.not.include(TRIED)
  })

  it('do not take the new address for a change', async () => {
    const before = await revisions()
    const asShown = { title: 'Fresh bread', content: text(NOW), excerpt: image(NOW) }
    const saved = await site.ask(`POST /wp/v2/posts/${post.id}`, asShown, admin)
    expect(saved.status).to.equal(200)
    expect(await revisions()).to.deep.equal(before)
    expect((await site.host.content.posts.get(post.id))?.content).to.equal(text(TRIED))
    expect(await site.outcome(`POST /wp/v2/posts/${post.id}/autosaves`, asShown, admin)).to.equal(
      '400 rest_autosave_no_changes',
    )
  })

  it('keep what is changed with the present address', async () => {
    const content = `${text(NOW)} More.`
    const kept = await site.ask(`POST /wp/v2/posts/${post.id}/autosaves`, { content }, admin)
    expect(kept.item.content).to.include({ raw: content })
    expect(kept.item.excerpt).to.include({ raw: image(NOW) })
    const saved = await site.ask(`POST /wp/v2/posts/${post.id}`, { content }, admin)
    expect(saved.item.content).to.include({ raw: content })
    expect((await site.host.content.posts.get(post.id))?.content).to.equal(content)
  })

  it('name the former address in the export only in guids', async () => {
    const { content, auth, database, hooks, config } = site.host
    let xml = ''
    for await (const piece of writeWxr(await openWxrExport({ content, users: auth.users, database, hooks, config })))
      xml += piece
    expect(xml.replace(/<guid.*<\/guid>/g, '')).to.not.include('127.0.0.1:8080')
    expect(xml)
      .to.include(`<![CDATA[${text(NOW)}`)
      .and.include(`<![CDATA[${NOW}/a/]]>`)
    expect(xml).to.include(`<wp:comment_author_url>${NOW}<`)
  })
})
