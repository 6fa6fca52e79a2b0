import { StatementSync } from 'node:sqlite'
import { mock } from 'node:test'
import { expect } from 'chai'
import { isHandlingRequest } from 'pentad'
import { type Gazette, openGazette } from './gazette.ts'

describe('statements that a list of wp/v2 takes', () => {
  let site: Gazette
  let admin: string
  before(async () => {
    site = await openGazette()
    admin = await site.signIn('admin', 'administrator')
    const { auth, content } = site.host
    for (const kind of ['post', 'term', 'user', 'comment'] as const) {
      content.registerMeta(kind, 'note', { single: true, showInRest: true })
    }
    for (let number = 0; number < 20; number++) {
      const author = { login: `writer-${number}`, email: `writer-${number}@example.org`, roles: ['author'] }
      const { id } = await auth.users.create(author)
      await content.posts.insert({ type: 'post', status: 'publish', title: `By ${number}`, authorId: id })
      await content.posts.insert({ type: 'page', status: 'publish', title: `Page ${number}`, authorId: id })
      for (const status of ['draft', 'private']) {
        await content.posts.insert({ type: 'post', status, title: `${status} ${number}`, authorId: id })
      }
      const closed = { type: 'post', status: 'publish', title: `Closed ${number}`, password: 'sesame', authorId: id }
      const { id: postId } = await content.posts.insert(closed)
      await content.comments.insert({
        ...{ postId, parentId: 0, userId: 0, content: 'Hello', status: 'approved', type: 'comment' },
        ...{
          authorName: 'Ann',
          authorEmail: '',
          authorUrl: '',
          userAgent: '',
          authorAddress: '',
          date: '',
          dateGmt: '',
        },
      })
      await content.terms.insert('category', { name: `Category ${number}` })
      await content.terms.insert('post_tag', { name: `Tag ${number}` })
    }
  })
  after(() => site.close())

  /** How many statements a request takes, and how many items it answers. */
  async function ask(path: string, as?: string): Promise<{ statements: number; items: number }> {
    // The owner of a password is cached for two seconds, which a busy machine may take between two requests.
    mock.timers.enable({ apis: ['Date'], now: Date.now() })
    const { all } = StatementSync.prototype
    try {
      // Caches are filled: the second request takes what every further one takes after a change.
      await site.get(path, as)
      await site.host.content.meta.set('term', 1, 'note', path)
      let statements = 0
      StatementSync.prototype.all = function (...values) {
        // The site's work in the background is not part of a request.
        if (isHandlingRequest()) statements++
        return Reflect.apply(all, this, values)
      }
      const { items } = await site.get(path, as)
      expect(statements).to.be.greaterThan(0)
      return { statements, items: items.length }
    } finally {
      StatementSync.prototype.all = all
      mock.timers.reset()
    }
  }

  const embedded = ['search?', 'search?type=term']
  const lists = ['posts', 'pages', 'media', 'categories', 'tags', 'users', 'comments'].map((name) => `${name}?`)
  const forEditors = [
    'posts?status=any',
    'posts?status=draft,private',
    'pages?',
    'media?',
    'comments?status=all',
    'users?',
  ]
  const cases: [path: string, who: 'a visitor' | 'an administrator'][] = [
    ...[...lists, ...embedded].map((path): [string, 'a visitor'] => [path, 'a visitor']),
    ...lists.map((path): [string, 'an administrator'] => [path, 'an administrator']),
    ...forEditors.map((path): [string, 'an administrator'] => [`${path}&context=edit`, 'an administrator']),
  ]
  for (const [path, who] of cases) {
    it(`does not grow with the length of ${path} for ${who}`, async () => {
      const as = who === 'a visitor' ? undefined : admin
      const [few, more, most] = [
        await ask(`/wp/v2/${path}&per_page=4`, as),
        await ask(`/wp/v2/${path}&per_page=20`, as),
        await ask(`/wp/v2/${path}&per_page=100`, as),
      ]
      expect(most.items).to.be.greaterThan(few.items)
      // A list of few may have nothing of a kind that takes a statement more.
      expect(more.statements).to.be.at.most(few.statements + 2)
      expect(most.statements).to.be.at.most(few.statements + 2)
    })
  }
})
