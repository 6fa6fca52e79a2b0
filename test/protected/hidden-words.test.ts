import { join } from 'node:path'
import { expect } from 'chai'
import type { Post } from 'pentad'
import { createTestHost, type TestHost } from 'pentad/testing'
import { openProviderServer, type ProviderServer } from '../ai/provider-server/index.ts'
import { LICENSED } from '../seo/license.ts'
import { onEachDatabase } from '../support/databases.ts'

const HIDDEN_WORDS = join(import.meta.dirname, 'hidden-words.extension.ts')
const HIDING_SHORTCODE = join(import.meta.dirname, 'hiding-shortcode.extension.ts')

/** Between `[members]` and `[/members]`, and nowhere else. */
const SECRETS = ['Quetzal', 'Yttrium', 'vermilion.png']

onEachDatabase('Words that an extension hides with the_content', (databaseUrl) => {
  let site: TestHost
  let models: ProviderServer
  let post: Post
  let broken: Post
  let cookie: string

  before(async () => {
    models = await openProviderServer()
    const { licensePublicKey, licenseKey } = LICENSED
    const config = { licensePublicKey, databaseUrl: await databaseUrl() }
    site = await createTestHost({ services: true, extensions: [HIDDEN_WORDS], config })
    site.respond(models.responder)
    const { auth, content, license } = site.host
    await license.set(licenseKey)
    await set('ai', { webMcpTools: 'on', helpdeskAgent: 'on', helpdeskConversation: 'on', openaiApiKey: 'k' })
    await set('seo', { llmsTxt: 'on' })
    const insert = (title: string, text: string) =>
      content.posts.insert({ title, content: text, status: 'publish', date: '2026-01-05T08:00:00' })
    const image = '<img src="/wp-content/uploads/vermilion.png" width="800" height="600" alt="">'
    post = await insert(
      'Harbor',
      `<p>[members]The word of the door is Quetzal today. ${image}[/members]</p>
      <p>Lanterns shine over the harbor every evening of the year.</p>`,
    )
    // The mark at which hiding ends stands behind the beginning that lists show.
    broken = await insert(
      'Boats',
      '<p>Boats come in with the tide and lanterns.</p>[members]<p>Yttrium is below.</p><!--more--><p>More Yttrium.</p>[/members]',
    )
    const user = await auth.users.create({ login: 'reader', roles: ['subscriber'] })
    const signedIn = await auth.startSession(user, { address: '127.0.0.1', userAgent: 'test' })
    cookie = auth.sessionCookie(signedIn).split(';', 1)[0] ?? ''
  })
  after(async () => {
    await site.close()
    await models.close()
  })

  async function set(plugin: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
    const body = { settings }
    const answer = await site.request(`/wp-json/${plugin}/v1/settings`, { method: 'PUT', as: 'administrator', body })
    expect(answer.status, await answer.text()).to.equal(200)
  }

  function refuseSecrets(text: string, where: string): void {
    for (const secret of SECRETS) {
      const at = text.toLowerCase().indexOf(secret.toLowerCase())
      expect(at < 0 ? '' : text.slice(Math.max(0, at - 150), at + 50), where).to.equal('')
    }
  }

  const asked = (text: string) => text.replaceAll(/[?&;](s|search|query)=[^"&<\s]*|“[^”]*”|value="[^"]*"/g, '')

  /** What everybody gets of the site beside the pages of the posts themselves. */
  const shared = () => [
    ...['/', '/feed/', '/2026/', '/?s=lanterns', '/?s=Quetzal', '/?s=quetz', '/feed/?s=Quetzal', '/llms.txt'],
    ...['/wp-sitemap-posts-post-1.xml', '/wp-json/wp/v2/search?search=Quetzal', '/wp-json/wp/v2/posts?search=Quetzal'],
    ...[
      '/wp-json/wp/v2/posts?search=Quetzal&search_columns=post_content',
      '/wp-json/wp/v2/posts?_fields=excerpt,title',
    ],
    ...['/wp-json/ai/v1/webmcp/search?query=Quetzal', '/wp-json/ai/v1/webmcp/search?query=lanterns'],
    ...[post, broken].map(({ id }) => `/wp-json/ai/v1/webmcp/content/${id}`),
    ...[post, broken].map(({ id }) => `/wp-json/oembed/1.0/embed?url=${encodeURIComponent(`${site.url}/?p=${id}`)}`),
  ]

  it('are on no page, in no list, feed, map, description, excerpt, tool, index or answer of REST', async () => {
    const own = ['/harbor/', '/boats/', ...[post, broken].map(({ id }) => `/wp-json/wp/v2/posts/${id}`)]
    for (const path of [...shared(), ...own]) {
      const answer = await site.get(path)
      expect(answer.status, path).to.equal(200)
      refuseSecrets(asked(await answer.text()), path)
    }
  })

  it('do not affect other words: the description contains what visitors can read', async () => {
    const html = await (await site.get('/harbor/')).text()
    expect(html).to.contain(
      '<meta name="description" content="Lanterns shine over the harbor every evening of the year.">',
    )
    const excerpt = await site.get(`/wp-json/wp/v2/posts/${post.id}?_fields=excerpt`)
    expect(await excerpt.text()).to.contain('Lanterns shine over the harbor every evening of the year.')
    expect(await (await site.get('/llms.txt')).text()).to.contain('Boats come in with the tide and lanterns.')
  })

  it('are shown to users who may read them, on the page and in REST, and to no other users through caches', async () => {
    const page = await site.get('/harbor/', { headers: { Cookie: cookie } })
    const html = await page.text()
    expect(html).to.contain('Quetzal')
    expect(page.headers.get('Cache-Control')).to.equal('private, no-store')
    // The first image of the page, which this user sees, may be preloaded.
    const head = html.slice(0, html.indexOf('</head>')).replace(/<link rel="preload" as="image"[^>]*>/, '')
    refuseSecrets(head, 'the head')
    expect(await (await site.get(`/wp-json/wp/v2/posts/${post.id}`, { as: 'subscriber' })).text()).to.contain('Quetzal')
    refuseSecrets(await (await site.get('/harbor/')).text(), 'the page of the next visitor')
    for (const path of shared().filter((one) => !one.startsWith('/feed'))) {
      const answer = path.startsWith('/wp-json')
        ? await site.get(path, { as: 'subscriber' })
        : await site.get(path, { headers: { Cookie: cookie } })
      refuseSecrets(asked(await answer.text()), `${path} for a subscriber`)
    }
  })

  it('are not confirmed by a search: no hit, no count, nothing missing for one that must not be there', async () => {
    for (const as of [{}, { as: 'subscriber' }]) {
      for (const words of ['Quetzal', 'quetz', '"door is Quetzal"', 'lanterns Quetzal']) {
        const answer = await site.get(`/wp-json/wp/v2/posts?search=${encodeURIComponent(words)}`, as)
        expect([await answer.json(), answer.headers.get('X-WP-Total')], words).to.deep.equal([[], '0'])
      }
      const without = await site.get('/wp-json/wp/v2/posts?search=harbor%20-Quetzal&_fields=id', as)
      expect([await without.json(), without.headers.get('X-WP-Total')]).to.deep.equal([[{ id: post.id }], '1'])
    }
    const { content } = site.host
    expect(await content.search('Quetzal', { user: null })).to.deep.equal([])
    expect(await content.search('Quetzal', { user: null, match: 'any' })).to.deep.equal([])
    expect((await content.search('lanterns -Quetzal', { user: null })).length).to.equal(2)
  })

  it('are found by who edits the post', async () => {
    const answer = await site.get('/wp-json/wp/v2/posts?search=Quetzal&context=edit&_fields=id', { as: 'editor' })
    expect(await answer.json()).to.deep.equal([{ id: post.id }])
    const editor = await site.host.auth.users.getByLogin('test-editor')
    const found = await site.host.content.search('Quetzal', { user: editor ?? null })
    expect(found.map(({ id }) => id)).to.deep.equal([post.id])
  })

  it('are not passed to the model of the helpdesk', async () => {
    models.script('NO_ANSWER')
    const body = { message: 'What is the word of the door in the harbor, with the lanterns?' }
    const answer = await site.request('/wp-json/ai/v1/helpdesk-agent/ai-response', { method: 'POST', body })
    expect(answer.status).to.equal(200)
    expect(models.asked).to.have.length(1)
    expect(models.asked[0]?.prompt).to.contain('Lanterns shine over the harbor')
    refuseSecrets(JSON.stringify(models.asked[0]?.body), 'what the model was asked')
  })

  it('are found as soon as nothing hides them, and hidden from the first moment after', async () => {
    const total = async () => (await site.get('/wp-json/wp/v2/posts?search=Quetzal')).headers.get('X-WP-Total')
    await site.host.extensions.deactivate('hidden-words')
    expect(await total()).to.equal('1')
    expect(await (await site.get('/harbor/')).text()).to.contain('Quetzal')
    await site.host.extensions.activate('hidden-words')
    expect(await total()).to.equal('0')
    refuseSecrets(await (await site.get('/harbor/')).text(), 'the page')
  })
})

describe('Words that a shortcode of an extension encloses and hides', () => {
  it('are not confirmed by a search', async () => {
    const site = await createTestHost({ extensions: [HIDING_SHORTCODE] })
    const { content } = site.host
    const text = '<p>Lanterns shine over the harbor.</p>\n\n[members]<p>The word is Quetzal.</p>[/members]'
    await content.posts.insert({ title: 'Harbor', content: text, status: 'publish' })
    const found = async (word: string) => (await site.get(`/wp-json/wp/v2/search?search=${word}`)).text()
    expect(await found('lanterns')).to.contain('Harbor')
    expect(await found('quetzal')).to.equal('[]')
    await site.close()
  })
})
