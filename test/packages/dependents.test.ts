import { expect } from 'chai'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'
import { writeGuest } from '../sandbox/guests.ts'
import { until } from '../support/until.ts'

for (const isolation of ['process', 'sandbox'] as const) {
  describe(`an extension in a ${isolation} that requires another one`, () => {
    let host: TestHost
    before(async () => {
      const filter = (text: string) =>
        `permissions: { hooks: ['the_content'] }, setup({ hooks }) { hooks.addFilter('the_content', (html) => html + '${text}') }`
      const shop = await writeGuest('shop', isolation, filter('[shop]'))
      const cart = await writeGuest('cart', isolation, `requires: { extensions: { shop: '*' } }, ${filter('[cart]')}`)
      host = await createTestHost({ extensions: [shop, cart] })
    })
    after(() => host.close())

    const report = (id: string) => host.host.extensions.list().find((one) => one.id === id)
    const page = async () => (await host.get('/hello-world/')).text()

    it('is paused with it, and resumed with it', async () => {
      expect(await page())
        .to.contain('[shop]')
        .and.contain('[cart]')
      await host.host.extensions.get('shop')?.pause('Too many errors.')
      await until(() => report('cart')?.state === 'paused')
      expect(report('cart')?.reason).to.equal(
        'It requires the extension "shop" *, which is not active. Activate it first.',
      )
      expect(await page()).not.to.match(/\[(?:shop|cart)\]/)
      await host.host.extensions.activate('shop')
      await until(() => report('cart')?.state === 'active')
      expect(await page())
        .to.contain('[shop]')
        .and.contain('[cart]')
    })

    it('is not resumed if it was paused for another reason', async () => {
      await host.host.extensions.get('cart')?.pause('Too many errors.')
      await host.host.extensions.get('shop')?.pause('Too many errors.')
      await host.host.extensions.activate('shop')
      await until(() => report('shop')?.state === 'active')
      expect(report('cart')).to.include({ state: 'paused', reason: 'Too many errors.' })
    })
  })
}
