import { deepEqual, equal, match } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { po } from 'gettext-parser'
import type { TestHost } from 'pentad/testing'
import { z } from 'zod'
import { openShop, type Shop } from './testing/shop.ts'
import { ada, createVisitor } from './testing/visitor.ts'

// cspell:ignore absenden anzahl becher bestellen bestellung diesem eingegangen gesamtsumme offen produkt produkte warenkorb warenkorbseite
describe('store: on a German site', () => {
  let host: TestHost
  let create: Shop['create']
  before(async () => {
    ;({ host, create } = await openShop({ language: 'de_DE' }))
  })
  after(() => host.close())

  const admin = async (path: string) => JSON.parse(await (await host.get(path, { as: 'administrator' })).text())

  it('is German for customers: products, cart, checkout, and notices', async () => {
    const id = await create('products', { title: 'Becher', meta: { price: 1290 } }, 3)
    const buyer = createVisitor(host)
    match(await (await buyer.send('/product/becher/')).text(), /<label>Anzahl [\s\S]*>In den Warenkorb</)
    match(await (await buyer.send('/product/')).text(), /<h1[^>]*>[^<]*Produkte</)
    match(await (await buyer.send('/warenkorb/')).text(), /<title>Warenkorb[\s\S]*<p>Ihr Warenkorb ist leer\.<\/p>/)
    const refused = await buyer.submit('/cart/add', { id: String(id), quantity: '4' })
    match(
      await (await buyer.send(refused.headers.get('Location') ?? '')).text(),
      /Wir haben nicht genug von diesem Produkt auf Lager\./,
    )
    await buyer.submit('/cart/add', { id: String(id), quantity: '2' })
    const cart = await (await buyer.send('/warenkorb/')).text()
    match(cart, /Gesamtsumme<[\s\S]*25,80\s€[\s\S]*>Bestellen<[\s\S]*>Bestellung absenden</)
    const ordered = await buyer.submit('/orders', { ...ada, total: '2580' })
    match(
      await (await buyer.send(ordered.headers.get('Location') ?? '')).text(),
      /Ihre Bestellung \d+ ist eingegangen\./,
    )
  })

  it('is German for the owner: the email of an order, orders, products, and settings', async () => {
    while (host.mails.length === 0) await setTimeout(5)
    const [mail] = host.mails
    match(mail?.subject ?? '', /^Bestellung \d+: 25,80\s€$/)
    match(mail?.text ?? '', /\n\nGesamtsumme: 25,80\s€\n\nName: Ada\nE-Mail-Adresse: ada@/)

    const { items } = (await admin('/wp-json/store/v1/orders')).data
    equal(items[0]?.stateLabel, 'Offen')
    const { name, labels } = await admin('/wp-json/wp/v2/types/product?context=edit')
    deepEqual([name, labels.add_new_item], ['Produkte', 'Neues Produkt hinzufügen'])
    const { schema } = (await admin('/wp-json/host/v1/settings-schema/store')).data
    equal(schema.properties.cartPage.title, 'Warenkorbseite')
  })

  it('has a German translation of each text, with the same placeholders, and no others', () => {
    const folder = import.meta.dirname
    const files = globSync('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts'] })
    const calls = files.flatMap((file) => [
      ...readFileSync(join(folder, file), 'utf8').matchAll(/__\(\s*'([^']+)',\s*'store'/g),
    ])
    const { '': _, ...german } = po.parse(readFileSync(join(folder, 'languages/store-de.po'))).translations[''] ?? {}
    deepEqual(Object.keys(german).sort(), [...new Set(calls.map(([, text = '']) => text))].sort())
    const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()
    for (const [text, { msgstr }] of Object.entries(german))
      deepEqual(msgstr.map(placeholders), [placeholders(text)], text)
  })

  it('changes with the language of the site', async () => {
    const titleOf = async () => {
      const { labels } = await admin('/wp-json/wp/v2/types/product?context=edit')
      return z.string().parse(labels.add_new_item)
    }
    await host.host.content.updateSiteSettings({ language: 'en_US' })
    while ((await titleOf()) !== 'Add New Product') await setTimeout(5)
    match(await (await host.get('/product/becher/')).text(), /Add to cart/)
    match(await (await host.get('/warenkorb/')).text(), /<p>Your cart is empty\.<\/p>/)
  })
})
