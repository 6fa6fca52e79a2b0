import { expect } from 'chai'
import { onEachDatabase } from '../support/databases.ts'
import { toObject } from './gazette.ts'
import { type OwnSite, openOwnSite, type Told } from './own-site.ts'

onEachDatabase('writes at the same moment', (databaseUrl) => {
  let site: OwnSite
  let admin: string
  before(async () => {
    site = await openOwnSite(await databaseUrl())
    admin = await site.signIn('admin', 'administrator')
  })
  after(() => site?.close())

  const make = async (route: string, fields: object = {}): Promise<number> =>
    Number((await site.ask(`POST /wp/v2/${route}`, { status: 'publish', ...fields }, admin)).item.id)

  const many = <Result>(count: number, one: (at: number) => Promise<Result>): Promise<Result[]> =>
    Promise.all(Array.from({ length: count }, (_, at) => one(at)))

  /** How often each outcome came. */
  function tally(outcomes: readonly Told[]): Record<string, number> {
    const found: Record<string, number> = {}
    for (const { status, item } of outcomes) {
      const outcome = status < 400 ? String(status) : `${status} ${item.code}`
      found[outcome] = (found[outcome] ?? 0) + 1
    }
    return found
  }

  describe('comments', () => {
    const say = (post: number, content: string) => site.ask('POST /wp/v2/comments', { post, content }, admin)

    it('are all counted', async () => {
      const post = await make('posts', { title: 'Much said' })
      expect(tally(await many(30, (at) => say(post, `word ${at}`)))).to.deep.equal({ 201: 30 })
      expect((await site.host.content.posts.get(post))?.commentCount).to.equal(30)
      const { items } = await site.host.content.comments.query({ posts: [post], limit: 30 })
      await many(20, (at) => {
        const id = items[at]?.id
        return at % 2 ? site.ask(`DELETE /wp/v2/comments/${id}?force=true`, undefined, admin) : hold(id)
      })
      expect((await site.host.content.posts.get(post))?.commentCount).to.equal(10)
    })
    const hold = (id: number | undefined) => site.ask(`POST /wp/v2/comments/${id}`, { status: 'hold' }, admin)

    it('that say the same are one', async () => {
      const post = await make('posts', { title: 'Said twice' })
      const refused: unknown[] = []
      const undo = site.host.hooks.addAction('comment_duplicate_trigger', (comment) => {
        refused.push(comment.content)
      })
      const outcomes = await many(10, () => say(post, 'a double click'))
      undo()
      expect(tally(outcomes)).to.deep.equal({ 201: 1, '409 comment_duplicate': 9 })
      expect(refused).to.deep.equal(Array(9).fill('a double click'))
    })

    it('on a post that is deleted are refused', async () => {
      const post = await make('posts', { title: 'Going' })
      const outcomes = await many(20, (at) =>
        at === 5 ? site.ask(`DELETE /wp/v2/posts/${post}?force=true`, undefined, admin) : say(post, `late ${at}`),
      )
      expect(tally(outcomes)).to.include({ 200: 1 })
      expect(outcomes.map(({ status }) => status)).to.not.include(500)
    })

    it('refuse a post that an extension names and that is not there', async () => {
      const post = await make('posts', { title: 'There' })
      const undo = site.host.hooks.addFilter('rest_pre_insert_comment', (comment) => ({ ...comment, postId: 999_999 }))
      const { status, item } = await say(post, 'to nobody')
      undo()
      expect([status, item.code]).to.deep.equal([403, 'rest_comment_invalid_post_id'])
    })
  })

  it('of several concurrent deletions, the first one succeeds', async () => {
    const post = await make('posts', { title: 'Once' })
    const said = await site.ask('POST /wp/v2/comments', { post, content: 'once' }, admin)
    const remove = (route: string) =>
      many(8, () => site.ask(`DELETE /wp/v2/${route}?force=true&reassign=1`, undefined, admin))
    expect(tally(await remove(`comments/${said.item.id}`))).to.deep.equal({ 200: 1, '404 rest_comment_invalid_id': 7 })
    const user = await site.host.auth.users.create({ login: 'going', email: 'going@example.org' })
    expect(tally(await remove(`users/${user.id}`))).to.deep.equal({ 200: 1, '404 rest_user_invalid_id': 7 })
    expect(tally(await remove(`posts/${post}`))).to.deep.equal({ 200: 1, '404 rest_post_invalid_id': 7 })
  })

  it('terms may go while posts take them', async () => {
    const tags = await many(6, (at) => make('tags', { name: `going ${at}` }))
    const posts = await many(6, (at) => make('posts', { title: `Tagged ${at}` }))
    const outcomes = await many(36, (at) =>
      at % 6 === 0
        ? site.ask(`DELETE /wp/v2/tags/${tags[at / 6]}?force=true`, undefined, admin)
        : site.ask(`POST /wp/v2/posts/${posts[at % 6]}`, { tags: at % 2 ? tags : [...tags].reverse() }, admin),
    )
    const { '403 rest_cannot_assign_term': _, ...others } = tally(outcomes)
    expect(Object.keys(others)).to.deep.equal(['200'])
    expect((await site.ask(`GET /wp/v2/tags?include=${tags}`)).body).to.deep.equal([])
  })

  it('comments do not end up below themselves', async () => {
    const post = await make('posts', { title: 'Threads' })
    const said: number[] = []
    for (const content of ['a', 'b', 'c', 'd'])
      said.push(Number((await site.ask('POST /wp/v2/comments', { post, content }, admin)).item.id))
    const outcomes = await many(24, (at) =>
      site.ask(`POST /wp/v2/comments/${said[at % 4]}`, { parent: said[(at * 3 + 1) % 4] }, admin),
    )
    const { '400 rest_comment_invalid_parent': _, ...others } = tally(outcomes)
    expect(Object.keys(others)).to.deep.equal(['200'])
    const { items } = await site.host.content.comments.query({ posts: [post] })
    expectNoCircle(new Map(items.map(({ id, parentId }) => [id, parentId])))
  })

  it('pages do not end up below themselves', async () => {
    const pages = await many(4, (at) => make('pages', { title: `Page ${at}` }))
    const outcomes = await many(24, (at) =>
      site.ask(`POST /wp/v2/pages/${pages[at % 4]}`, { parent: pages[(at * 3 + 1) % 4] }, admin),
    )
    expect(tally(outcomes)).to.deep.equal({ 200: 24 })
    const parents = new Map<number, number>()
    for (const id of pages) parents.set(id, Number((await site.ask(`GET /wp/v2/pages/${id}`)).item.parent))
    expectNoCircle(parents)
  })

  function expectNoCircle(parents: ReadonlyMap<number, number>): void {
    for (const id of parents.keys()) {
      const above: number[] = []
      for (let at = parents.get(id) ?? 0; at > 0 && above.length < 5; at = parents.get(at) ?? 0) above.push(at)
      expect(above).to.not.include(id)
    }
  }

  it('a page that is put below one of its children, or itself, moves to the top, as in WordPress', async () => {
    const above = await make('pages', { title: 'Above' })
    const below = await make('pages', { title: 'Below', parent: above })
    const put = async (parent: number) =>
      toObject((await site.ask(`POST /wp/v2/pages/${above}`, { parent }, admin)).body).parent
    expect([await put(below), await put(above)]).to.deep.equal([0, 0])
  })
})
