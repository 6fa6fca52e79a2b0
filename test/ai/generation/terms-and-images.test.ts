import { expect } from 'chai'
import { PIXEL } from '../../seo/pixel.ts'
import type { Turn } from '../provider-server/index.ts'
import { type ModelsSite, openModelsSite } from '../providers/models-site.ts'

describe('Generation: terms and images for the editor', () => {
  let opened: ModelsSite

  before(async () => {
    opened = await openModelsSite()
    await opened.connect('openai')
  })
  after(() => opened.close())

  async function generate(path: string, body: unknown, ...turns: readonly Turn[]) {
    opened.models.script(...turns)
    return (await opened.post(path, body)).json()
  }

  describe('POST /generate-tags', () => {
    it('answers at most ten, without doubles, spelled as the site has them', async () => {
      const { id } = await opened.site.host.content.terms.insert('post_tag', { name: 'R&amp;B' })
      const tags = ['r&b', '#Salt', 'SALT', '<img src=x onerror=x()>Sea', 'x'.repeat(80), ...'abcdefgh'.split('')]
      const answer = await generate('/generate-tags', { title: 'Salt' }, { object: { tags } })
      expect(answer).to.have.nested.property('data.tags').with.length(10)
      expect(answer).to.have.deep.nested.property('data.tags[0]', { id, name: 'R&B' })
      expect(answer).to.have.deep.nested.property('data.tags[1]', { name: 'Salt' })
      expect(answer).to.have.deep.nested.property('data.tags[2]', { name: 'Sea' })
      expect(answer).to.have.nested.property('data.tags[3].name').with.length(50)
      expect(opened.models.asked[0]?.prompt, 'the model knows them').to.include('R&B')
    })

    it('makes something of a list with commas', async () => {
      const answer = await generate('/generate-tags', { content: '<p>Salt</p>' }, 'Tags: salt, sea')
      expect(answer).to.have.deep.nested.property('data.tags', [{ name: 'salt' }, { name: 'sea' }])
    })
  })

  describe('POST /generate-categories', () => {
    it('answers one that exists, whatever the model says', async () => {
      const { terms } = opened.site.host.content
      const food = await terms.insert('category', { name: 'Food &amp; drink' })
      const spice = await terms.insert('category', { name: 'Spice', parentId: food.id })
      const category = (turn: Turn) => generate('/generate-categories', { title: 'Salt' }, turn)
      const chosen = { id: spice.id, name: 'Spice' }
      expect(await category({ object: { id: spice.id } })).to.have.deep.nested.property('data.category', chosen)
      expect(opened.models.asked[0]?.prompt).to.include(`${spice.id}: Food & drink › Spice`)
      expect(await category({ object: { id: `${spice.id}` } })).to.have.deep.nested.property('data.category', chosen)
      expect(await category('Category: **spice**')).to.have.deep.nested.property('data.category', chosen)
      for (const made of [{ object: { id: 999_999 } }, 'Seasoning']) {
        expect(await category(made)).to.have.nested.property('data.category.name', 'Uncategorized')
      }
      await opened.site.host.content.updateSiteSettings({ defaultCategory: food.id })
      expect(await category('Seasoning')).to.have.deep.nested.property('data.category', {
        id: food.id,
        name: 'Food & drink',
      })
    })
  })

  describe('POST /generate-featured-image', () => {
    const plan = { object: { prompt: 'A heap of salt', alt: '“A <b>heap</b> of &lt;script&gt;salt.”' } }

    it('puts a real image into the library, with its alternative text', async () => {
      const { id: post } = await opened.site.host.content.posts.insert({ title: 'Salt', status: 'draft', authorId: 1 })
      const answer = await generate('/generate-featured-image', { postId: post, size: '1536x1024' }, plan, {
        image: PIXEL,
      })
      expect(answer).to.have.nested.property('data.alt', 'A heap of salt.')
      expect(opened.models.asked[1]?.body).to.include({ size: '1536x1024', prompt: 'A heap of salt' })

      const { items } = await opened.site.host.content.posts.query({ types: ['attachment'], statuses: ['inherit'] })
      expect(answer).to.have.nested.property('data.attachmentId', items[0]?.id)
      const media = await (
        await opened.site.get(`/wp-json/wp/v2/media/${items[0]?.id}`, { as: 'administrator' })
      ).json()
      expect(media).to.include({ alt_text: 'A heap of salt.', mime_type: 'image/png', post })
      expect(media).to.have.nested.property('title.rendered', 'A heap of salt.')
      expect(answer)
        .to.have.nested.property('data.url')
        .that.matches(/\.png$/)
      const stored = await (await opened.site.get(`/wp-json/wp/v2/posts/${post}`, { as: 'administrator' })).json()
      expect(stored, 'the post is left to its author').to.include({ featured_media: 0 })
    })

    it('draws from a plan in plain words, with the brief as its alternative text, and from no half of one', async () => {
      for (const text of ['Here is the plan:\nA heap of salt', '```json\n{"picture": "A heap of salt"}\n```']) {
        const answer = await generate('/generate-featured-image', { brief: 'Salt & bread' }, text, { image: PIXEL })
        expect(answer, text).to.have.nested.property('data.alt', 'Salt & bread')
        expect(opened.models.asked[1]?.body).to.include({ prompt: 'A heap of salt' })
      }
      const half = await generate('/generate-featured-image', { brief: 'Salt' }, '{"prompt": "A heap of')
      expect(half).to.include({ code: 'ai_provider_error' })
    })

    it('keeps nothing that is no image', async () => {
      const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>x()</script></svg>'
      for (const bytes of [svg, '<!doctype html><p>Error</p>', 'GIF89a', '%PDF-1.4']) {
        const answer = await generate('/generate-featured-image', { brief: 'Salt' }, plan, {
          image: Buffer.from(bytes),
        })
        expect(answer, bytes).to.include({ code: 'ai_provider_error' })
      }
      expect(await generate('/generate-featured-image', { brief: 'Salt', size: '9x9' })).to.include({
        code: 'rest_invalid_param',
      })
    })

    it('fetches nothing from this machine or its network, whatever address a provider names', async () => {
      await opened.connect('compatible', { imageModel: 'compatible/brush' })
      for (const url of ['http://169.254.169.254/latest/x.png', 'http://127.0.0.1:9/x.png', 'file:///etc/passwd']) {
        const raw = JSON.stringify({ created: 1, data: [{ url }] })
        const answer = await generate('/generate-featured-image', { brief: 'Salt' }, plan, { raw })
        expect(answer, url).to.include({ code: 'ai_provider_error' })
        expect(opened.models.asked, 'for a plan and a picture').to.have.length(2)
        expect(opened.site.requests.filter((request) => request.url === url)).to.deep.equal([])
      }
      await opened.connect('openai')
    })

    it('is for who may upload', async () => {
      opened.models.script()
      expect((await opened.post('/generate-featured-image', { brief: 'Salt' }, 'contributor')).status).to.equal(403)
      expect(opened.models.asked).to.have.length(0)
    })

    it('says when no connected key offers an image model', async () => {
      const capability = async () => (await opened.site.get('/wp-json/ai/v1/image-capability', { as: 'author' })).json()
      expect(await capability()).to.have.deep.property('data', {
        ...{ available: true, provider: 'openai', model: 'gpt-image-2.5-sunburst', reason: null },
      })
      await opened.connect('anthropic')
      expect(await capability()).to.have.deep.property('data', {
        ...{
          available: false,
          provider: null,
          model: null,
          reason: 'No connected AI provider offers an image model.',
        },
      })
      expect(await generate('/generate-featured-image', { brief: 'Salt' })).to.include({ code: 'ai_no_image_model' })
    })
  })

  describe('every route', () => {
    it('requires a connected provider, and says so only to users with permission', async () => {
      await opened.connect('none')
      for (const path of ['title', 'content', 'tags', 'categories', 'featured-image']) {
        const body = { brief: 'Salt', title: 'Salt' }
        expect(
          (await opened.site.request(`/wp-json/ai/v1/generate-${path}`, { method: 'POST', body })).status,
        ).to.equal(401)
        const answer = await opened.post(`/generate-${path}`, body, 'author')
        expect(answer.status).to.equal(409)
        expect(await answer.json(), path).to.include({ code: 'ai_no_provider' })
      }
    })
  })
})
