import { defineExtension } from 'pentad'
import { registerAbilities } from './abilities.ts'
import { createCartCookie } from './cart/cart-cookie.ts'
import { createCartLines } from './cart/cart-lines.ts'
import { createCarts } from './cart/carts.ts'
import { registerCartRoutes } from './cart/routes.ts'
import { registerContentTypes } from './catalog/content-types.ts'
import { watchPrices } from './catalog/prices.ts'
import { createProducts } from './catalog/products.ts'
import { removeDeleted } from './catalog/remove-deleted.ts'
import { filterShapes } from './hooks.ts'
import { createPriceFormat } from './money.ts'
import { registerOrderAdmin } from './orders/order-admin.ts'
import { createOrderMails } from './orders/order-mails.ts'
import { createOrderRecords } from './orders/order-records.ts'
import { createOrders } from './orders/orders.ts'
import { registerPersonalData } from './orders/personal-data.ts'
import { registerOrderRoute } from './orders/routes.ts'
import { showCart } from './pages/cart-page.ts'
import { createCartPage } from './pages/create-cart-page.ts'
import { showProducts } from './pages/product-page.ts'
import { styleShop } from './pages/style.ts'
import { createTexts } from './pages/texts.ts'
import { serveBrowserAgents } from './services/browser-agents.ts'
import { purgeShopPages } from './services/page-caches.ts'
import { notifySubscribers } from './services/push.ts'
import { describeForSearch } from './services/search-engines.ts'
import { settingsSchema } from './settings.ts'
import { registerStockRoutes } from './stock/routes.ts'
import { createStock } from './stock/stock.ts'
import { createStockEvents } from './stock/stock-events.ts'
import { openStoreTables } from './tables.ts'

export default defineExtension({
  id: 'store',
  name: 'Store',
  version: '1.0.0',
  description: 'Online store: products with variations, inventory, a cart, and orders by email.',
  async setup(host) {
    host.hooks.declareFilters(filterShapes)
    const record = host.settings.register(settingsSchema(host))
    const settings = record.get
    const formatPrice = createPriceFormat(host)
    const db = await openStoreTables(host.database)

    registerContentTypes(host, settings)
    const stock = createStock(db)
    const products = createProducts(host, stock)
    watchPrices(host, { db, products })
    removeDeleted(host, db)
    const emitStockChanges = createStockEvents(host, products)
    registerStockRoutes(host, { stock, products, emitStockChanges })

    const cookie = createCartCookie(host)
    const lines = createCartLines(db)
    const carts = createCarts(host, { settings, products, lines, cookie })
    registerCartRoutes(host, carts)
    host.jobs.schedule('store-carts', 'hourly', lines.tidy)

    const mails = createOrderMails(host, { db, settings, formatPrice })
    const orders = createOrders(host, { db, carts, lines, stock, emitStockChanges })
    registerOrderRoute(host, { orders, carts, cookie })
    const records = createOrderRecords(db)
    registerOrderAdmin(host, { records, mails, formatPrice })
    registerPersonalData(host, { records, formatPrice })
    host.hooks.addAction('store_order_placed', mails.send)
    // Sends emails left over from a stopped process; by now, other extensions have added their filters.
    host.hooks.addAction('init', mails.send)

    await createCartPage(host, record)
    const say = createTexts(host)
    showProducts(host, { settings, products, carts, formatPrice, say })
    showCart(host, { settings, carts, formatPrice, say })
    styleShop(host, settings)

    purgeShopPages(host, settings)
    notifySubscribers(host, { products, settings, formatPrice })
    describeForSearch(host, { products, settings })
    serveBrowserAgents(host, { products, carts, settings })
    registerAbilities(host, { products, stock, emitStockChanges, settings })
  },
})
