import { equal } from 'node:assert/strict'
import { join } from 'node:path'
import { createTestHost, type TestHost } from 'pentad/testing'
import { z } from 'zod'

const idSchema = z.object({ id: z.int() })
const stockSchema = z.object({ data: z.object({ quantity: z.int().nullable() }) })

/** A site with the store, and helpers for REST calls of its owner. */
export interface Shop {
  readonly host: TestHost
  /** Creates a product with a stock quantity; returns its ID. */
  create(type: 'products' | 'product-variations', body: object, quantity?: number): Promise<number>
  setStock(id: number, body: object, as?: string): Promise<Response>
  /** `null` if stock is not tracked. */
  stockOf(id: number): Promise<number | null>
}

/** @param language - The language of the site when the store is activated. */
export async function openShop({ language = 'en_US' } = {}): Promise<Shop> {
  const host = await createTestHost({ config: { trustedProxies: ['127.0.0.1'] } })
  const { content, extensions } = host.host
  await content.updateSiteSettings({ language })
  await extensions.activate(await extensions.add(join(import.meta.dirname, '..')))
  const setStock: Shop['setStock'] = (id, body, as = 'administrator') =>
    host.request(`/wp-json/store/v1/stock/${id}`, { method: 'PUT', as, body })
  return {
    host,
    setStock,
    async create(type, body, quantity) {
      const response = await host.request(`/wp-json/wp/v2/${type}`, {
        ...{ method: 'POST', as: 'administrator', body: { status: 'publish', ...body } },
      })
      equal(response.status, 201, await response.clone().text())
      const { id } = idSchema.parse(await response.json())
      if (quantity !== undefined) await setStock(id, { quantity })
      return id
    },
    async stockOf(id) {
      const response = await host.get(`/wp-json/store/v1/stock/${id}`, { as: 'administrator' })
      return stockSchema.parse(await response.json()).data.quantity
    },
  }
}
