import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { onEachDatabase } from '../../support/databases.ts'
import { freePort } from '../../support/free-port.ts'
import { AI } from '../ai-plugin.ts'
import { openProviderServer, type ProviderServer } from '../provider-server/index.ts'

const SPEED = join(import.meta.dirname, '../../../plugins/speed')

onEachDatabase('Related posts', (databaseUrl) => {
  let site: TestHost
  let models: ProviderServer
  const ids = new Map<string, number>()

  before(async () => {
    models = await openProviderServer()
    const [url, port] = [await databaseUrl(), await freePort()]
    site = await createTestHost({
      extensions: [AI, SPEED],
      config: { port, url: `http://127.0.0.1:${port}`, ...(url !== undefined && { databaseUrl: url }) },
    })
    site.respond(models.responder)
    // No page is rendered but those that are asked for.
    await site.host.settings.get('speed')?.update({ preload: 'off' })
    await publish('Roasting coffee', 'Green coffee beans are roasted in a drum. The roast decides the taste.')
    await publish('Grinding coffee', 'Roasted coffee beans are ground right before brewing, coarse for a press.')
    await publish('The night train', 'A sleeping car, a dining car and a locomotive cross the mountains.')
    await publish('Steam locomotives', 'A locomotive burns coal; the train needs water at each station.')
    await publish('Secret coffee', 'Coffee beans that nobody may read about.', { status: 'private' })
  })
  after(async () => {
    await site.close()
    await models.close()
  })

  async function publish(title: string, content: string, more: object = {}): Promise<void> {
    const { id } = await site.host.content.posts.insert({ title, content, status: 'publish', ...more })
    ids.set(title, id)
  }
  const idOf = (title: string) => ids.get(title) ?? 0
  async function set(settings: object): Promise<void> {
    const answer = await site.request('/wp-json/ai/v1/settings', {
      method: 'PUT',
      as: 'administrator',
      body: { settings },
    })
    expect(answer.status).to.equal(200)
    await settled()
  }
  /** Does what the host would do by and by, until nothing is compared in the background any more. */
  async function settled(): Promise<void> {
    const { jobs } = site.host
    for (;;) {
      const [running] = await jobs.list({ type: 'ai-related', state: 'running' })
      if (!running) return
      await jobs.advance(running.id)
      await wait(5)
    }
  }
  /** The posts whose title is asked for, by turns of the event loop. */
  function watchTurns(): [number[][], undo: () => void] {
    const byTurn: number[][] = [[]]
    const next = () => {
      byTurn.push([])
      timer = setImmediate(next)
    }
    let timer = setImmediate(next)
    const undo = site.host.hooks.addFilter('the_title', (title, id) => {
      byTurn.at(-1)?.push(id)
      return title
    })
    return [
      byTurn,
      () => {
        clearImmediate(timer)
        undo()
      },
    ]
  }
  const pageOf = async (path: string) => (await site.get(path)).text()
  async function relatedOn(path: string): Promise<string[]> {
    const [section = ''] = /<section class="related-posts".*?<\/section>/s.exec(await pageOf(path)) ?? []
    return [...section.matchAll(/<a href="[^"]+">([^<]*)<\/a>/g)].map(([, title = '']) => title)
  }

  it('show nothing before the owner wants them', async () => {
    expect(await pageOf('/roasting-coffee/')).not.to.contain('related-posts')
  })

  it('are those about the same, where no model compares them', async () => {
    const [compared, undo] = watchTurns()
    await set({ aiRelatedPosts: 'on' })
    undo()
    expect(compared.flat(), 'posts are compared').to.include.members([idOf('Roasting coffee'), idOf('The night train')])
    // Two where the turn of the one is counted late and that of the other early.
    for (const posts of compared) expect(new Set(posts).size, 'before others have their turn').to.be.at.most(2)
    expect(await relatedOn('/roasting-coffee/')).to.deep.equal(['Grinding coffee'])
    expect(await relatedOn('/the-night-train/')).to.deep.equal(['Steam locomotives'])
    expect(models.asked).to.deep.equal([])
  })

  it('are shown below the article of a post, and on no other page', async () => {
    const html = await pageOf('/roasting-coffee/')
    expect(html.indexOf('<section class="related-posts"')).to.be.within(
      html.indexOf('</article>'),
      html.indexOf('</main>'),
    )
    for (const path of ['/', '/sample-page/', '/?s=coffee', '/feed/', '/nowhere/'])
      expect(await pageOf(path), path).not.to.contain('related-posts')
  })

  it('follow what is saved, on cached pages too', async () => {
    expect(await relatedOn('/grinding-coffee/')).to.deep.equal(['Roasting coffee'])
    expect((await site.get('/grinding-coffee/')).headers.get('x-cache')).to.match(/HIT|STALE/)
    await publish('<b>Brewing</b> coffee & tea', 'Ground coffee beans are brewed with hot water in a press.')
    await settled()
    expect(await relatedOn('/grinding-coffee/')).to.have.members(['Brewing coffee &amp; tea', 'Roasting coffee'])
    await site.host.content.posts.update(idOf('Roasting coffee'), { password: 'x' })
    await settled()
    expect(await relatedOn('/grinding-coffee/')).to.deep.equal(['Brewing coffee &amp; tea'])
    await site.host.content.posts.update(idOf('Roasting coffee'), { password: '' })
    await site.host.content.posts.delete(idOf('<b>Brewing</b> coffee & tea'))
    await settled()
    expect(await relatedOn('/grinding-coffee/')).to.deep.equal(['Roasting coffee'])
  })

  it('have the heading that extensions want, as text', async () => {
    const undo = site.host.hooks.addFilter('ai_related_posts_heading', () => 'More <i>of it')
    await set({ aiRelatedPostsQuantity: 2 })
    expect(await pageOf('/roasting-coffee/')).to.contain('>More &lt;i&gt;of it</h2>')
    undo()
  })

  describe('where a provider has a model for it', () => {
    /** Coffee goes with trains, as no words would have it. */
    const meanings: readonly (readonly [RegExp, number[]])[] = [
      [/^Roasting/, [1, 0, 0.1]],
      [/^The night/, [0.9, 0, 0.1]],
      [/^Grinding/, [0, 1, 0.1]],
      [/^Steam/, [0, 0.9, 0.2]],
    ]
    const meaningOf = (text: string) => meanings.find(([begin]) => begin.test(text))?.[1] ?? [-1, -1, 0]

    it('are those that mean the same', async () => {
      models.always(({ texts }) => ({ vectors: texts.map(meaningOf) }))
      await set({ aiRelatedPostsQuantity: 1, openaiApiKey: 'sk-secret' })
      expect(await relatedOn('/roasting-coffee/')).to.deep.equal(['The night train'])
      expect(await relatedOn('/steam-locomotives/')).to.deep.equal(['Grinding coffee'])
      const texts = models.asked.flatMap((asked) => asked.texts)
      expect(
        texts.filter((text) => text.startsWith('Roasting')),
        'asked once about each',
      ).to.have.length(1)
      expect(texts.join('\n')).not.to.contain('nobody may read')
    })

    it('are asked about again one by one, as posts are saved', async () => {
      models.always(({ texts }) => ({ vectors: texts.map(() => [0, 1, 0.1]) }))
      await site.host.content.posts.update(idOf('The night train'), { content: 'A mill for coffee.' })
      await publish('Locked', 'Coffee behind a password.', { password: 'x' })
      await settled()
      expect(models.asked.map(({ texts }) => texts)).to.deep.equal([['The night train\n\nA mill for coffee.']])
      expect(await relatedOn('/the-night-train/')).to.deep.equal(['Grinding coffee'])
    })

    it('cost nothing where a save leaves the text as it is', async () => {
      models.always({ status: 500 })
      await site.host.content.posts.update(idOf('The night train'), { excerpt: 'Another excerpt.' })
      await settled()
      expect(models.asked).to.deep.equal([])
      expect(await relatedOn('/the-night-train/')).to.deep.equal(['Grinding coffee'])
    })

    it('are found by words if the provider fails, without affecting saves', async () => {
      models.always({ status: 401, message: 'Incorrect API key provided: sk-secret' })
      await publish('Coal stations', 'Coal for a locomotive, water for the train.')
      await settled()
      expect(await relatedOn('/coal-stations/')).to.deep.equal(['Steam locomotives'])
    })
  })

  describe('that the owner has turned off', () => {
    it('are gone', async () => {
      await set({ aiRelatedPosts: 'off' })
      expect(await relatedOn('/roasting-coffee/')).to.deep.equal([])
    })
  })
})
