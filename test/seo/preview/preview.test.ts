import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { KINDS } from '../../../plugins/seo/preview/sample-pages.ts'
import { openSeoSite } from '../seo-site.ts'

describe('POST /seo/v1/title-preview', () => {
  let site: TestHost
  before(async () => {
    site = await openSeoSite()
    await site.host.content.updateSiteSettings({ title: 'Kitchen & Co', description: 'Notes from the stove' })
  })
  after(() => site.close())

  async function preview(body: object, as = 'administrator') {
    const answer = await site.request('/wp-json/seo/v1/title-preview', { method: 'POST', as, body })
    const { data, code } = JSON.parse(await answer.text())
    return { status: answer.status, code, ...data }
  }
  const headOf = async (url: string) => {
    const html = await (await site.get(new URL(url).pathname)).text()
    const found = (pattern: RegExp) => pattern.exec(html)?.[1]?.replaceAll('&amp;', '&')
    return {
      title: found(/<title>([^<]*)<\/title>/),
      description: found(/<meta name="description" content="([^"]*)">/),
    }
  }

  it('shows what the page itself says while nothing is changed', async () => {
    const { posts } = site.host.content
    const undo = site.host.content.registerPostType({
      name: 'recipe',
      label: 'Recipes',
      public: true,
      hasArchive: true,
    })
    const { id } = await posts.insert({ type: 'recipe', title: 'Rye bread', status: 'publish' })
    for (const kind of ['home', 'post', 'page', 'category', 'author', 'date', 'archive'] as const) {
      const { title, description, url } = await preview({ kind })
      expect(await headOf(url), kind).to.deep.equal({ title, description })
      expect(title, kind).to.include('Kitchen & Co')
    }
    await posts.delete(id)
    undo()
  })

  it('fills in a template that is being written, with another separator too', async () => {
    const templates = {
      kind: 'post',
      title: '%title% %sep% %page% %sep% %tagline%',
      description: 'About %title%',
      separator: '·',
    }
    expect(await preview(templates)).to.deep.include({
      title: 'Hello world! · Notes from the stove',
      description: 'About Hello world!',
      siteName: 'Kitchen & Co',
    })
  })

  it('describes by the text where the template is empty', async () => {
    expect((await preview({ kind: 'post' })).description).to.include('Welcome to')
  })

  it('knows every kind of pages', async () => {
    for (const kind of KINDS) {
      const { status, title, url } = await preview({ kind, title: '%title%|%sitename%' })
      expect(status, kind).to.equal(200)
      expect(title, kind).to.match(/\|Kitchen & Co$/)
      expect(url).to.match(/^http:/)
    }
  })

  it('is an administrator’s', async () => {
    expect((await preview({ kind: 'post' }, 'author')).status).to.equal(403)
  })
})

describe('GET /seo/v1/title-variables', () => {
  it('names every variable and says what it stands for', async () => {
    const site = await openSeoSite()
    const answer = await site.get('/wp-json/seo/v1/title-variables', { as: 'author' })
    const { variables } = JSON.parse(await answer.text()).data
    expect(variables).to.deep.include({ name: 'sitename', description: 'Title of the site' })
    expect(variables.map(({ name }: { name: string }) => name)).to.include.members([
      'sep',
      'title',
      'excerpt',
      'category',
    ])
    await site.close()
  })
})
