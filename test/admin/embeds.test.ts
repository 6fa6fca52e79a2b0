import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { type OembedServer, sendJson, startServer, video } from '../site/embeds/oembed-server.ts'
import { type AdminSite, expectAccessible, openAdminSite } from './admin-site.ts'

const URL_OF_VIDEO = 'https://videos.test/watch/one'
const URL_OF_PAGE = 'https://elsewhere.test/page'

describe('A URL that is pasted on an empty line', () => {
  let admin: AdminSite
  let provider: OembedServer
  let page: Page
  let isDown = true

  before(async () => {
    provider = await startServer((_request, response, asked) =>
      isDown ? response.writeHead(503).end() : sendJson(response, video(asked, provider.origin)),
    )
    admin = await openAdminSite({ isTrustedAddress: ({ origin }) => origin === provider.origin })
    admin.allow(/404/)
    admin.site.host.hooks.addFilter('oembed_providers', (providers) => ({
      ...providers,
      'https://videos.test/*': [`${provider.origin}/videos`, false],
    }))
    page = await admin.signIn('administrator', '/wp-admin/posts')
  })
  after(async () => {
    await admin?.close()
    await provider?.close()
  })

  const failure = (tab: Page) => tab.getByRole('alert').filter({ hasText: 'videos.test could not be loaded' })
  async function openPost(title: string) {
    const { id } = await admin.site.host.content.posts.insert({ title, status: 'draft', authorId: 1 })
    const tab = await admin.openTab(page, `/wp-admin/posts/${id}`)
    const content = tab.getByRole('textbox', { name: 'Content', exact: true })
    return { id, tab, content }
  }
  async function paste(tab: Page, url: string): Promise<void> {
    await tab.evaluate(`(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', ${JSON.stringify(url)})
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })()`)
  }
  async function save(tab: Page, id: number): Promise<string> {
    await tab.getByRole('button', { name: 'Save draft' }).click()
    await tab.getByText(/^Saved /).waitFor()
    await tab.close()
    return (await admin.site.host.content.posts.get(id))?.content ?? ''
  }

  it('can be tried again if the provider does not answer', async () => {
    const { id, tab, content } = await openPost('Try again')
    await content.focus()
    await paste(tab, URL_OF_VIDEO)
    await failure(tab).waitFor()
    await expectAccessible(tab)
    isDown = false
    await failure(tab).getByRole('button', { name: 'Try again' }).click()
    await content.locator('.wp-block-embed').waitFor()
    await failure(tab).waitFor({ state: 'detached' })
    expect(await save(tab, id)).to.include('<!-- wp:embed {"url":"https://videos.test/watch/one","type":"video"')
  })

  it('can be kept as a link, also one from the dialog', async () => {
    isDown = true
    const { id, tab, content } = await openPost('Convert to link')
    await content.focus()
    await tab.keyboard.type('/')
    await tab.getByRole('combobox', { name: 'Search blocks' }).fill('Embed')
    await tab.getByRole('option', { name: 'Embed' }).click()
    await tab.getByRole('textbox', { name: 'URL', exact: true }).fill('https://videos.test/watch/two')
    await tab.getByRole('button', { name: 'Embed', exact: true }).click()
    await failure(tab).getByRole('button', { name: 'Convert to link' }).click()
    await content.locator('a[href="https://videos.test/watch/two"]').waitFor()
    expect(await save(tab, id)).to.match(/<p><a [^>]*href="https:\/\/videos\.test\/watch\/two"/)
  })

  it('is a link if the site knows no provider', async () => {
    const { id, tab, content } = await openPost('No provider')
    await content.focus()
    await paste(tab, URL_OF_PAGE)
    await content.locator(`a[href="${URL_OF_PAGE}"]`).waitFor()
    expect(await save(tab, id)).to.include(`>${URL_OF_PAGE}</a></p>`)
  })
})
