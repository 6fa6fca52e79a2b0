import { expect } from 'chai'
import type { NewPost, Post } from 'pentad'
import type { TestHost } from 'pentad/testing'
import { onEachDatabase } from '../../support/databases.ts'
import { LICENSED } from '../license.ts'
import { openSeoSite } from '../seo-site.ts'
import { TOPICS } from './topics.ts'

const SUGGESTIONS = '/wp-json/seo/v1/link-suggestions'

interface Suggestion {
  readonly postId: number
  readonly title: string
  readonly url: string
  readonly score: number
  readonly anchors: readonly string[]
}

onEachDatabase('GET /seo/v1/link-suggestions', (databaseUrl) => {
  let site: TestHost
  before(async () => {
    site = await openSeoSite({ config: { ...LICENSED, databaseUrl: await databaseUrl() } })
  })
  after(() => site.close())
  beforeEach(async () => {
    const statuses = ['publish', 'draft', 'private', 'trash']
    const { items } = await site.host.content.posts.query({ types: ['post', 'page'], statuses, limit: 100 })
    for (const { id } of items) await site.host.content.posts.delete(id)
  })

  const publish = (title: string, content: string, more: NewPost = {}): Promise<Post> =>
    site.host.content.posts.insert({ title, content, status: 'publish', type: 'post', ...more })
  const ask = (query: string, as = 'administrator') => site.get(`${SUGGESTIONS}?${query}`, { as })

  async function suggestions({ id }: Pick<Post, 'id'>, limit = 10): Promise<Suggestion[]> {
    const answer = await ask(`postId=${id}&limit=${limit}`)
    expect(answer.status).to.equal(200)
    return JSON.parse(await answer.text()).data.suggestions
  }
  const titles = async (post: Pick<Post, 'id'>, limit?: number) =>
    (await suggestions(post, limit)).map(({ title }) => title)

  const COFFEE = '<p>An espresso machine presses hot water through ground coffee beans. Beans are roasted before.</p>'
  const GRINDER = '<p>A grinder crushes roasted coffee beans. Espresso wants them finer than filter coffee.</p>'
  const SAILING = '<p>A sailing boat needs wind, a rudder and a keel. Sailors watch the weather in the harbor.</p>'

  it('is an administrator’s', async () => {
    expect((await site.get(`${SUGGESTIONS}?postId=1`)).status).to.equal(401)
    expect((await ask('postId=1', 'editor')).status).to.equal(403)
  })

  for (const [query, status, code] of [
    ['', 400, 'rest_missing_callback_param'],
    ['postId=abc', 400, 'rest_invalid_param'],
    ['postId=1abc', 400, 'rest_invalid_param'],
    ['postId=0', 400, 'rest_invalid_param'],
    ['postId=1&limit=0', 400, 'rest_invalid_param'],
    ['postId=1&limit=51', 400, 'rest_invalid_param'],
    ['postId=4711', 404, 'post_not_found'],
    ['postId=99999999999', 404, 'post_not_found'],
  ] as const)
    it(`answers ${status} ${code} to "${query}"`, async () => {
      const answer = await ask(query)
      expect({ status: answer.status, code: JSON.parse(await answer.text()).code }).to.deep.equal({ status, code })
    })

  it('suggests related pages, with anchor texts that occur in the post', async () => {
    const machine = await publish('The espresso machine', COFFEE)
    const grinder = await publish('Choosing a coffee grinder', GRINDER)
    await publish('Sailing boats', SAILING)
    const found = await suggestions(machine)
    expect(found.map(({ postId, title, url }) => ({ postId, title, url }))).to.deep.equal([
      { postId: grinder.id, title: 'Choosing a coffee grinder', url: site.host.content.link(grinder) },
    ])
    const [{ score = 0, anchors = [] } = {}] = found
    expect(score).to.be.within(0.05, 1)
    expect(anchors).to.not.be.empty
    for (const anchor of anchors) expect(COFFEE).to.include(anchor)
  })

  it('gives suggestions for drafts, but never suggests a draft', async () => {
    const draft = await publish('The espresso machine', COFFEE, { status: 'draft' })
    const grinder = await publish('Choosing a coffee grinder', GRINDER)
    expect(await titles(draft)).to.deep.equal(['Choosing a coffee grinder'])
    expect(await titles(grinder)).to.deep.equal([])
  })

  for (const [name, more] of Object.entries<NewPost>({
    'with a password': { password: 'secret' },
    'that are private': { status: 'private' },
    'in the trash': { status: 'trash' },
    'that search engines should not keep': { meta: { _seo_noindex: [true] } },
  }))
    it(`suggests none ${name}`, async () => {
      const machine = await publish('The espresso machine', COFFEE)
      await publish('Choosing a coffee grinder', GRINDER, more)
      expect(await titles(machine)).to.deep.equal([])
    })

  for (const [name, href] of Object.entries({
    'its path': '/choosing-a-coffee-grinder/',
    'its former path': '/old-grinder/',
    'its id': 'id',
  }))
    it(`suggests none that the post links to already, by ${name}`, async () => {
      const { id } = await publish('Choosing a coffee grinder', GRINDER, { slug: 'old-grinder' })
      await site.host.content.posts.update(id, { slug: 'choosing-a-coffee-grinder' })
      const link = `<a href="${href === 'id' ? `/?p=${id}` : href}">here</a>`
      for (const status of ['publish', 'draft']) {
        const post = await publish('The espresso machine', `${COFFEE}<p>More ${link}.</p>`, { status })
        expect(await titles(post)).to.not.include('Choosing a coffee grinder')
      }
    })

  it('follows edits at once', async () => {
    const machine = await publish('The espresso machine', COFFEE)
    const { id } = await publish('Sailing boats', SAILING)
    await site.host.content.posts.update(id, { title: 'Choosing a coffee grinder', content: GRINDER })
    expect(await titles(machine)).to.deep.equal(['Choosing a coffee grinder'])
    await site.host.content.posts.update(id, { title: 'Sailing boats', content: SAILING })
    expect(await titles(machine)).to.deep.equal([])
  })

  it('puts what shares rare words before what shares common ones, and keeps to the limit', async () => {
    for (let number = 0; number < 12; number++)
      await publish(`Recipe ${number}`, `<p>A kitchen recipe with flour, butter and dish${number}.</p>`)
    await publish('Saffron', '<p>Saffron is a spice for the kitchen.</p>')
    const post = await publish('Risotto with saffron', '<p>A kitchen recipe: rice, saffron, butter.</p>')
    expect(await titles(post)).to.have.length(10)
    expect(await titles(post, 1)).to.deep.equal(['Saffron'])
  })

  it('offers no text in a link, a heading or code, nor one across tags', async () => {
    await publish('Coffee grinder', GRINDER)
    const content =
      '<h2>Coffee grinder</h2><p><a href="/x/">coffee grinder</a> and <code>coffee grinder</code>, ' +
      'a coffee <strong>grinder</strong>.</p><p>Buy a Coffee Grinder.</p>'
    const [{ anchors = [] } = {}] = await suggestions(await publish('Beans', content))
    expect(anchors).to.deep.equal(['Coffee Grinder', 'coffee', 'grinder'].slice(0, anchors.length))
    expect(anchors[0]).to.equal('Coffee Grinder')
  })

  it('takes no word that every text has for what a post is about, contracted or not', async () => {
    await publish('Coffee grinder', "<p>It's a grinder for coffee. They’re loud, that's all, and it isn't cheap.</p>")
    const [{ anchors = [] } = {}] = await suggestions(
      await publish('Beans', '<p>It is so that they need a mill for coffee, and is it all of that?</p>'),
    )
    expect(anchors).to.deep.equal(['coffee'])
  })

  it('suggests nothing for a post without words', async () => {
    await publish('Coffee grinder', GRINDER)
    expect(await titles(await publish('', ''))).to.deep.equal([])
  })

  it('handles hostile text of authors', async () => {
    await publish('Coffee grinder', GRINDER)
    const hostile = (depth: number) =>
      `<p>${'<b>'.repeat(depth)}coffee grinder%_'";--\u0000 \ud800 ${'a'.repeat(5000)} ${'💥'.repeat(500)}</p>`
    expect(await titles(await publish("'; drop table posts; --", hostile(500)))).to.deep.equal(['Coffee grinder'])
    // What is nested more deeply than browsers nest elements is not read.
    expect(await titles(await publish('Deep', hostile(3000)))).to.deep.equal([])
  })

  for (const { language, posts, post, related, anchor } of TOPICS)
    it(`finds what belongs together in ${language}`, async () => {
      for (const { title, content } of posts) await publish(title, content)
      const source = await publish(post.title, post.content)
      const [first] = await suggestions(source)
      expect(first?.title).to.equal(related)
      expect(
        first?.anchors.some((one) => one.includes(anchor)),
        first?.anchors.join(' | '),
      ).to.equal(true)
      for (const one of first?.anchors ?? []) expect(post.content).to.include(one)
    })
})
