import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Gazette, openGazette, toObject } from './gazette.ts'

/** What a real WordPress answered a role, operation by operation: a status and the code of a refusal. */
const RECORDED: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/roles-golden.json'), 'utf8'),
)

const STATUSES = ['draft', 'pending', 'private', 'publish']

for (const role of ['contributor', 'author']) {
  describe(`what ${role === 'author' ? 'an author' : 'a contributor'} may read, as recorded from WordPress`, () => {
    let site: Gazette
    let as: string
    const others = new Map<string, number>()
    const own = new Map<string, number>()
    let locked: number
    let readerId: number
    before(async () => {
      site = await openGazette()
      as = await site.signIn(role, role)
      const { auth, content } = site.host
      await auth.users.create({ login: 'reader', email: 'reader@example.org', roles: ['subscriber'] })
      readerId = (await auth.users.getByLogin('reader'))?.id ?? 0
      const authorId = (await auth.users.getByLogin(role))?.id ?? 0
      for (const status of STATUSES) {
        const post = { type: 'post', status, title: `A ${status} post`, content: 'Text' }
        others.set(status, (await content.posts.insert({ ...post, authorId: 1 })).id)
        own.set(status, (await content.posts.insert({ ...post, authorId })).id)
      }
      const post = { type: 'post', status: 'publish', title: 'Locked', content: 'Text', password: 'sesame' }
      locked = (await content.posts.insert({ ...post, authorId: 1 })).id
    })
    after(() => site.close())

    async function answerTo(path: string): Promise<string> {
      const { status, item } = await site.get(path, as)
      return status < 400 ? String(status) : `${status} ${String(item.code)}`
    }

    async function shows(path: string): Promise<string> {
      return String(toObject((await site.get(path, as)).item.content).rendered !== '')
    }

    const operations: Record<string, () => Promise<string>> = {
      'list posts status=draft': () => answerTo('/wp/v2/posts?status=draft'),
      'list posts status=private': () => answerTo('/wp/v2/posts?status=private'),
      'list posts status=any': () => answerTo('/wp/v2/posts?status=any'),
      'list posts status=publish': () => answerTo('/wp/v2/posts?status=publish'),
      'list posts context=edit': () => answerTo('/wp/v2/posts?context=edit'),
      'read protected': () => answerTo(`/wp/v2/posts/${locked}`),
      'read protected shows': () => shows(`/wp/v2/posts/${locked}`),
      'read protected with password shows': () => shows(`/wp/v2/posts/${locked}?password=sesame`),
      'read protected with a wrong password': () => answerTo(`/wp/v2/posts/${locked}?password=no`),
      'list categories for edit': () => answerTo('/wp/v2/categories?context=edit'),
      'list tags for edit': () => answerTo('/wp/v2/tags?context=edit'),
      'list users for edit': () => answerTo('/wp/v2/users?context=edit'),
      'list users': () => answerTo('/wp/v2/users'),
      'list users by role': () => answerTo('/wp/v2/users?roles=administrator'),
      'read another user for edit': () => answerTo('/wp/v2/users/1?context=edit'),
      'read a user without posts': () => answerTo(`/wp/v2/users/${readerId}`),
      'settings read': () => answerTo('/wp/v2/settings'),
      'types for edit': () => answerTo('/wp/v2/types?context=edit'),
      statuses: () => answerTo('/wp/v2/statuses'),
      search: () => answerTo('/wp/v2/search?search=espresso'),
      'own application passwords': () => answerTo('/wp/v2/users/me/application-passwords'),
      "another's application passwords": () => answerTo('/wp/v2/users/1/application-passwords'),
      'comments held': () => answerTo('/wp/v2/comments?status=hold'),
    }
    for (const status of STATUSES) {
      operations[`read other's ${status}`] = () => answerTo(`/wp/v2/posts/${others.get(status)}`)
      operations[`read other's ${status} for edit`] = () => answerTo(`/wp/v2/posts/${others.get(status)}?context=edit`)
      operations[`read own ${status}`] = () => answerTo(`/wp/v2/posts/${own.get(status)}`)
    }

    for (const [operation, answer] of Object.entries(RECORDED[role] ?? {})) {
      const ask = operations[operation]
      if (ask) it(`${operation}: ${answer}`, async () => expect(await ask()).to.equal(answer))
    }

    it('the table has a row for each of these operations', () => {
      expect(RECORDED[role]).to.include.keys(...Object.keys(operations))
    })
  })
}
