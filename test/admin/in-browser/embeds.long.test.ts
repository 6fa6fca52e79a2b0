import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { type OembedServer, sendJson, startServer, video } from '../../site/embeds/oembed-server.ts'
import { type AdminSite, expectAccessible, openAdminSite } from '../admin-site.ts'
import { clickAtEndOfLine } from '../editor-cursor.ts'

const URL_OF_VIDEO = 'https://videos.test/watch/one'
const URL_OF_PAGE = 'https://elsewhere.test/page'
/** Names of videos with a player of another size. */
const SIZES: Readonly<Record<string, string>> = { high: 'width="315" height="560"', fluid: 'width="100%" height="281"' }

/** The answer about a video, with the size that its name asks for. */
function sized({ html, ...answer }: Record<string, unknown>): Record<string, unknown> {
  const [, name = ''] = /player\/(\w+)"/.exec(String(html)) ?? []
  return { ...answer, html: String(html).replace('width="500" height="281"', (size) => SIZES[name] ?? size) }
}

const paragraph = (html: string) => `<!-- wp:paragraph -->\n<p>${html}</p>\n<!-- /wp:paragraph -->`

describe('A URL that is pasted on an empty line', () => {
  let admin: AdminSite
  let provider: OembedServer
  let page: Page
  let isDown = true
  /** The provider responds after this. */
  let turn = Promise.resolve()

  before(async () => {
    provider = await startServer(async (_request, response, asked) => {
      await turn
      if (isDown) response.writeHead(503).end()
      else sendJson(response, sized(video(asked, provider.origin)))
    })
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
  async function openPost(title: string, stored = '') {
    const { id } = await admin.site.host.content.posts.insert({ title, content: stored, status: 'draft', authorId: 1 })
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
  async function insertWithDialog(tab: Page, url: string): Promise<void> {
    await tab.keyboard.type('/')
    await tab.getByRole('combobox', { name: 'Search blocks' }).fill('Embed')
    await tab.getByRole('option', { name: 'Embed' }).click()
    await tab.getByRole('textbox', { name: 'URL', exact: true }).fill(url)
    await tab.getByRole('button', { name: 'Embed', exact: true }).click()
  }
  /** Makes the provider wait. @returns what lets it respond */
  function delayProvider(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    turn = promise
    return resolve
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
    await insertWithDialog(tab, 'https://videos.test/watch/two')
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

  it('is a link if it is too long for a provider', async () => {
    isDown = false
    const url = `https://videos.test/watch/${'a'.repeat(2000)}`
    const { id, tab, content } = await openPost('Long')
    await content.focus()
    await paste(tab, url)
    await content.locator(`a[href="${url}"]`).waitFor()
    expect(await save(tab, id)).to.include(`>${url}</a></p>`)
  })

  it('from the dialog leaves the cursor on the next line, so the author can write until the provider responds', async () => {
    isDown = false
    const { id, tab, content } = await openPost('Writing')
    await content.focus()
    const respond = delayProvider()
    await insertWithDialog(tab, 'https://videos.test/watch/three')
    await content.getByText('https://videos.test/watch/three').waitFor()
    await tab.keyboard.type('Written meanwhile')
    respond()
    await content.locator('.wp-block-embed').waitFor()
    expect(await save(tab, id)).to.match(/wp:embed .*watch\/three[\s\S]*wp:paragraph -->\n<p>Written meanwhile<\/p>/)
  })

  it('in a column becomes an embed with a line after it', async () => {
    isDown = false
    const column = (text: string) =>
      `<!-- wp:column -->\n<div class="wp-block-column">${paragraph(text)}</div>\n<!-- /wp:column -->`
    const columns = `<!-- wp:columns -->\n<div class="wp-block-columns">${column('Left')}\n\n${column('Right')}</div>\n<!-- /wp:columns -->`
    const { id, tab, content } = await openPost('Column', columns)
    const first = content.locator('.wp-block-column').first()
    await clickAtEndOfLine(tab, first.getByText('Left'))
    await tab.keyboard.press('Enter')
    const respond = delayProvider()
    await insertWithDialog(tab, 'https://videos.test/watch/four')
    await first.getByText('https://videos.test/watch/four').waitFor()
    // Without the line that the dialog has added.
    await tab.keyboard.press('Backspace')
    respond()
    await first.locator('.wp-block-embed').waitFor()
    await tab.keyboard.type('After it')
    expect(await save(tab, id)).to.match(
      /<p>Left<\/p>[\s\S]*wp:embed .*watch\/four[\s\S]*<p>After it<\/p>[\s\S]*<\/div>[\s\S]*<p>Right<\/p>/,
    )
  })

  it('from the dialog stays in the quote where the cursor is', async () => {
    isDown = false
    const quote = `<!-- wp:quote -->\n<blockquote class="wp-block-quote">${paragraph('First')}\n\n${paragraph('Last')}<cite>Source</cite></blockquote>\n<!-- /wp:quote -->`
    const { id, tab, content } = await openPost('Quote', quote)
    await clickAtEndOfLine(tab, content.getByText('First'))
    await tab.getByRole('button', { name: 'Add block' }).click()
    await tab.getByRole('combobox', { name: 'Search blocks' }).fill('Embed')
    await tab.getByRole('option', { name: 'Embed' }).click()
    await tab.getByRole('textbox', { name: 'URL', exact: true }).fill('https://videos.test/watch/quoted')
    await tab.getByRole('button', { name: 'Embed', exact: true }).click()
    await content.locator('blockquote .wp-block-embed').waitFor()
    expect(await save(tab, id)).to.match(
      /<p>First<\/p>[\s\S]*wp:embed .*watch\/quoted[\s\S]*<p>Last<\/p>[\s\S]*<\/blockquote>/,
    )
  })

  it('becomes an embed in a column, group, details block, or quote too', async () => {
    isDown = false
    const blocks = {
      column: `<!-- wp:columns -->\n<div class="wp-block-columns"><!-- wp:column -->\n<div class="wp-block-column">${paragraph('In column')}</div>\n<!-- /wp:column --></div>\n<!-- /wp:columns -->`,
      group: `<!-- wp:group -->\n<div class="wp-block-group">${paragraph('In group')}</div>\n<!-- /wp:group -->`,
      details: `<!-- wp:details -->\n<details class="wp-block-details"><summary>More</summary>${paragraph('In details')}</details>\n<!-- /wp:details -->`,
      quote: `<!-- wp:quote -->\n<blockquote class="wp-block-quote">${paragraph('Before')}\n\n${paragraph('In quote')}<cite>Source</cite></blockquote>\n<!-- /wp:quote -->`,
    }
    const { id, tab, content } = await openPost('Inside', Object.values(blocks).join('\n\n'))
    await content.waitFor()
    for (const name of Object.keys(blocks)) {
      await tab.evaluate(`(() => {
        const { editor } = document.querySelector('.ProseMirror')
        editor.state.doc.descendants((node, at) => {
          if (node.isTextblock && node.textContent === 'In ${name}')
            editor.chain().focus().deleteRange({ from: at + 1, to: at + 1 + node.content.size }).setTextSelection(at + 1).run()
        })
      })()`)
      await paste(tab, `https://videos.test/watch/${name}`)
      await content
        .locator('.wp-block-embed')
        .filter({ hasText: `watch/${name}` })
        .waitFor()
      await tab.keyboard.type(`After ${name}`)
    }
    const saved = await save(tab, id)
    for (const name of Object.keys(blocks))
      expect(saved).to.match(
        new RegExp(`wp-block-${name}"[^]*wp:embed [^]*watch/${name}[^]*<p>After ${name}</p>[^]*/wp:${name} -->`),
      )
    expect(saved).to.include('<cite>Source</cite></blockquote>')
  })

  it('is a link in a line with other text, and in a list', async () => {
    isDown = false
    const list =
      '<!-- wp:list -->\n<ul class="wp-block-list"><!-- wp:list-item -->\n<li>Item</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list -->'
    const quote = `<!-- wp:quote -->\n<blockquote class="wp-block-quote">${paragraph('See')}</blockquote>\n<!-- /wp:quote -->`
    const { id, tab, content } = await openPost('Links', `${list}\n\n${quote}`)
    await clickAtEndOfLine(tab, content.getByText('Item'))
    await tab.keyboard.press('Enter')
    await paste(tab, 'https://videos.test/watch/item')
    await content.locator('li a').waitFor()
    await clickAtEndOfLine(tab, content.getByText('See'))
    await tab.keyboard.type(' ')
    await paste(tab, 'https://videos.test/watch/seen')
    await content.locator('blockquote a').waitFor()
    const saved = await save(tab, id)
    expect(saved)
      .to.match(/<li><a [^>]*href="[^"]*watch\/item"/)
      .and.match(/<p>See <a [^>]*href="[^"]*watch\/seen"/)
    expect(saved).to.not.include('wp:embed')
  })

  it('has the class of its proportions, as in WordPress', async () => {
    isDown = false
    const { id, tab, content } = await openPost('Proportions')
    await content.focus()
    for (const name of ['wide', 'high', 'fluid']) {
      await paste(tab, `https://videos.test/watch/${name}`)
      await content.locator(`.wp-block-embed >> text=watch/${name}`).waitFor()
    }
    const saved = await save(tab, id)
    const classes = (name: string) =>
      new RegExp(`<figure class="([^"]*)"><div[^>]*>\\n[^<]*watch/${name}`).exec(saved)?.[1]
    expect(classes('wide')).to.include('wp-embed-aspect-16-9 wp-has-aspect-ratio')
    expect(classes('high')).to.include('wp-embed-aspect-9-16 wp-has-aspect-ratio')
    expect(classes('fluid')).to.not.include('aspect')
  })

  it('leaves other lines with the same URL unchanged', async () => {
    isDown = false
    const before = paragraph(URL_OF_VIDEO)
    const after = paragraph(`<a href="${URL_OF_VIDEO}">${URL_OF_VIDEO}</a>`)
    const { id, tab, content } = await openPost('Same URL', `${before}\n\n${after}`)
    await clickAtEndOfLine(tab, content.getByText(URL_OF_VIDEO).first())
    await tab.keyboard.press('Enter')
    await paste(tab, URL_OF_VIDEO)
    await content.locator('.wp-block-embed').waitFor()
    const saved = await save(tab, id)
    expect(saved.startsWith(`${before}\n\n<!-- wp:embed `)).to.equal(true)
    expect(saved.endsWith(`<!-- /wp:embed -->\n\n${after}`)).to.equal(true)
  })
})
