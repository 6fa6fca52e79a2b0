import { expect } from 'chai'
import type { PostQuery } from '../../cms/content/types.ts'
import { onEachDatabase } from '../support/databases.ts'
import { statementsOf } from '../support/statements.ts'
import { type OpenContent, openContent, openContentTwice } from './open-content.ts'

onEachDatabase('the totals of lists', (databaseUrl) => {
  let site: OpenContent
  /** The same site in another process, such as a command. */
  let other: OpenContent
  before(async () => {
    ;[site, other] = await openContentTwice(await databaseUrl())
  })
  after(async () => {
    await other.close()
    await site.close()
  })

  const insertPost = ({ content }: OpenContent, title: string) =>
    content.posts.insert({ title, status: 'publish', authorId: 1 })
  const insertComment = ({ content }: OpenContent, postId: number) =>
    content.comments.insert({
      ...{ postId, parentId: 0, userId: 0, authorName: 'A', authorEmail: '', authorUrl: '', authorAddress: '' },
      ...{
        userAgent: '',
        content: 'Comment',
        status: 'approved',
        type: 'comment',
        date: '',
        dateGmt: '',
      },
    })
  const posts = async () => (await site.content.posts.query({ limit: 1 })).total
  const withColor = async () => (await site.content.posts.query({ meta: { color: 'red' }, limit: 1 })).total
  const comments = async () =>
    (await site.content.comments.query({ statuses: ['approved'], ofPublishedPosts: true, limit: 1 })).total

  it('include what this and another process write', async () => {
    const one = await insertPost(site, 'One')
    await insertPost(site, 'Two')
    expect([await posts(), await comments()]).to.deep.equal([2, 0])
    const three = await insertPost(other, 'Three')
    expect(await posts()).to.equal(3)
    for (const from of [site, other]) await insertComment(from, one.id)
    expect(await comments()).to.equal(2)
    await other.content.comments.setStatus(1, 'spam')
    expect(await comments()).to.equal(1)
    await other.content.posts.update(one.id, { status: 'draft' })
    expect([await posts(), await comments()]).to.deep.equal([2, 0])
    await site.content.posts.delete(three.id)
    expect(await posts()).to.equal(1)
  })

  it('of a search by relevance are the same on every page, and beyond the last one', async () => {
    for (const title of ['Needle one', 'Needle two', 'Needle three']) await insertPost(site, title)
    const found = (range: PostQuery) => site.content.posts.query({ search: 'needle', orderBy: 'relevance', ...range })
    for (const offset of [0, 2, 3]) expect((await found({ limit: 1, offset })).total).to.equal(3)
    expect((await found({ limit: 1, noFoundRows: true })).total).to.equal(1)
  })

  it('include meta that is set or deleted', async () => {
    const [one, two] = [await insertPost(site, 'Red'), await insertPost(site, 'Also red')]
    expect(await withColor()).to.equal(0)
    for (const { id } of [one, two]) await other.content.meta.set('post', id, 'color', 'red')
    expect(await withColor()).to.equal(2)
    for (const { id } of [one, two]) await other.content.meta.delete('post', id, 'color')
    expect(await withColor()).to.equal(0)
  })
})

describe('the totals of lists (SQLite)', () => {
  it('of a search are counted by the statement that ranks it', async () => {
    const site = await openContent(undefined)
    const { posts } = site.content
    for (const title of ['Needle one', 'Needle two']) await posts.insert({ title, status: 'publish', authorId: 1 })
    const statements = await statementsOf(() => posts.query({ search: 'needle', orderBy: 'relevance', limit: 1 }))
    // The first one asks whether the words are common.
    expect(statements).to.have.length(2)
    await site.close()
  })

  it('are counted once until posts change; comments do not change them', async () => {
    const site = await openContent(undefined)
    const { content } = site
    for (const title of ['One', 'Two', 'Three']) await content.posts.insert({ title, status: 'publish', authorId: 1 })
    const counts = async () => {
      const statements = await statementsOf(() => content.posts.query({ limit: 1 }))
      return statements.filter((statement) => statement.includes('count(')).length
    }
    const seen = [await counts(), await counts()]
    await content.comments.insert({
      ...{ postId: 1, parentId: 0, userId: 0, authorName: 'A', authorEmail: '', authorUrl: '', authorAddress: '' },
      ...{
        userAgent: '',
        content: 'Comment',
        status: 'approved',
        type: 'comment',
        date: '',
        dateGmt: '',
      },
    })
    seen.push(await counts())
    await content.posts.update(1, { title: 'Four' })
    seen.push(await counts(), await counts())
    expect(seen).to.deep.equal([1, 0, 0, 1, 0])
    await site.close()
  })
})
