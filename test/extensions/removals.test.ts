import { expect } from 'chai'
import { until } from '../support/until.ts'
import { createExtensionSite, type ExtensionSite, extensionSource, refusal } from './extension-site.ts'

describe("an extension that removes others' callbacks", () => {
  let site: ExtensionSite

  beforeEach(async () => {
    site = await createExtensionSite()
    await site.extensions.load()
    site.write('shop', {
      'index.ts': extensionSource(
        'shop',
        `host.hooks.addFilter('test_text', function price(text) { return text + ' price' })
         host.hooks.addFilter('test_text', (text) => text + ' tax')`,
      ),
    })
    await site.extensions.activate('shop')
  })
  afterEach(() => site.close())

  const write = (body: string) => site.write('guest', { 'index.ts': extensionSource('guest', body) })
  const activate = async (body: string) => {
    write(body)
    await site.extensions.activate('guest')
  }

  it('removes a named one of core, as WordPress authors write it, and gives it back when it is switched off', async () => {
    const post = await site.content.posts.insert({ title: 'A post', content: 'One.\n\nTwo.', status: 'publish' })
    const page = () => site.content.renderContent(post)
    expect(await page()).to.contain('<p>One.</p>')
    await activate(`host.hooks.removeFilter('the_content', 'wpautop')`)
    expect(await page()).to.equal('One.\n\nTwo.')
    await site.extensions.deactivate('guest')
    expect(await page()).to.contain('<p>One.</p>')
  })

  it('removes a named one of another extension, and one without a name by its file and line', async () => {
    await activate(`host.hooks.removeFilter('test_text', { owner: 'shop', name: 'price' })`)
    expect(site.text()).to.equal(' tax')
    await site.extensions.reload('shop')
    expect(site.text()).to.equal(' tax')
    write(`host.hooks.removeFilter('test_text', 'index.ts:6')`)
    await site.extensions.reload('guest')
    expect(site.text()).to.equal(' price')
    await site.extensions.deactivate('shop')
    await site.extensions.activate('shop')
    expect(site.text()).to.equal(' price')
    await site.extensions.deactivate('guest')
    expect(site.text()).to.equal(' price tax')
  })

  it('leaves all in place when its setup fails', async () => {
    write(`host.hooks.removeAllFilters('test_text'); throw new Error('no luck')`)
    await refusal(site.extensions.activate('guest'))
    expect(site.text()).to.equal(' price tax')
  })

  it('gives back what it removed when it is paused', async () => {
    await activate(`host.hooks.removeAllFilters('test_text')
      host.hooks.addAction('test_action', () => { throw new Error('no luck') })`)
    expect(site.text()).to.equal('')
    for (let time = 0; time < 5; time++) site.hooks.doAction('test_action')
    await until(() => site.text() === ' price tax')
  })
})
