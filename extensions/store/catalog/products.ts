import { type ExtensionHost, type Meta, type Post, plainText } from 'pentad'
import type { z } from 'zod'
import '../hooks.ts'
import type { Stock } from '../stock/stock.ts'
import type { Item, Product } from '../types.ts'
import { PRODUCT, productMeta, VARIATION } from './content-types.ts'

/** Maximum number of variations of a product. */
const MOST_VARIATIONS = 100

/** The public products: published and without a password. */
export interface Products {
  get(id: number): Promise<Product | undefined>
  /** The products among the posts, by ID. */
  among(posts: readonly Post[]): Promise<Map<number, Product>>
  /** Search results, best first; without a query the most recently modified. */
  search(words: string, limit: number): Promise<Product[]>
  /** The purchasable items, by ID of the product or variation. */
  items(ids: readonly number[]): Promise<Map<number, Item>>
  /** The product of a product or variation, published or not; `undefined` for other posts. */
  productOf(itemId: number): Promise<number | undefined>
  /** The excerpt of the product, or its content, as plain text. */
  describe(id: number): Promise<string>
}

export function createProducts(
  { content, hooks }: Pick<ExtensionHost, 'content' | 'hooks'>,
  stock: Pick<Stock, 'of'>,
): Products {
  const isShown = (post: Post) => post.type === PRODUCT && post.status === 'publish' && post.password === ''

  async function among(posts: readonly Post[]): Promise<Map<number, Product>> {
    const shown = posts.filter(isShown)
    if (shown.length === 0) return new Map()
    const metas = new Map(await content.meta.of('post', idsOf(shown)))
    const isVariable = ({ id }: Post) => read(productMeta.product_type, metas.get(id), 'product_type') === 'variable'
    const variations = await variationsOf(shown.filter(isVariable))
    for (const [id, meta] of await content.meta.of('post', idsOf(variations))) metas.set(id, meta)
    const pieces = await stock.of([...metas.keys()])

    const skuOf = ({ id }: Post) => read(productMeta.sku, metas.get(id), 'sku') ?? ''

    const toItem = (post: Post, product: Post): Item[] => {
      const price = read(productMeta.price, metas.get(post.id), 'price')
      if (price === undefined) return []
      const label = nameOf(post)
      const name = post === product ? label : `${nameOf(product)} – ${label}`
      const own = { sku: skuOf(post), stock: pieces.get(post.id) ?? null }
      const item = { id: post.id, productId: product.id, name, label, url: content.link(product), price, ...own }
      const filtered = productMeta.price.safeParse(hooks.applyFilters('store_price', price, item))
      return [{ ...item, price: filtered.data ?? price }]
    }
    return new Map(
      shown.map((post) => {
        const sold = isVariable(post) ? variations.filter(({ parentId }) => parentId === post.id) : [post]
        const imageId = Number(metas.get(post.id)?._thumbnail_id?.[0] ?? 0)
        const product: Product = {
          id: post.id,
          name: nameOf(post),
          url: content.link(post),
          type: isVariable(post) ? 'variable' : 'simple',
          sku: skuOf(post),
          imageId: Number.isInteger(imageId) ? imageId : 0,
          items: sold.flatMap((one) => toItem(one, post)),
        }
        return [post.id, product]
      }),
    )
  }

  async function variationsOf(products: readonly Post[]): Promise<Post[]> {
    if (products.length === 0) return []
    const { items } = await content.posts.query({
      types: [VARIATION],
      parents: idsOf(products),
      hasPassword: false,
      ...{ orderBy: 'menu_order', order: 'asc', limit: products.length * MOST_VARIATIONS },
    })
    return items
  }

  const nameOf = (post: Post) => plainText(content.renderTitle(post))

  async function get(id: number): Promise<Product | undefined> {
    const post = await content.posts.get(id)
    return post && (await among([post])).get(id)
  }

  return {
    among,
    get,

    async search(words, limit) {
      const found = await content.search(words, { user: null, types: [PRODUCT], limit })
      return [...(await among(found)).values()]
    },

    async items(ids) {
      const posts = await content.posts.getMany(ids)
      const productIds = posts.values().map((post) => (post.type === VARIATION ? post.parentId : post.id))
      const products = await among([...(await content.posts.getMany([...new Set(productIds)])).values()])
      const items = products.values().flatMap((product) => product.items)
      return new Map(items.filter(({ id }) => posts.has(id)).map((item) => [item.id, item]))
    },

    async productOf(itemId) {
      const post = await content.posts.get(itemId)
      if (post?.type === PRODUCT) return post.id
      return post?.type === VARIATION ? post.parentId : undefined
    },

    async describe(id) {
      const post = await content.posts.get(id)
      if (!post) return ''
      return (await content.publicExcerpt(post)) || content.publicText(post)
    },
  }
}

const idsOf = (posts: readonly Post[]) => posts.map(({ id }) => id)

/** A meta value; `undefined` if it is missing or invalid, such as after an import. */
function read<Value>(schema: z.ZodType<Value>, meta: Meta | undefined, key: string): Value | undefined {
  return schema.safeParse(meta?.[key]?.[0]).data
}

/** The lowest price of a product; `null` if no item is for sale. */
export function priceOf({ items }: Product): number | null {
  return items.length === 0 ? null : Math.min(...items.map(({ price }) => price))
}

/** Whether the quantity is in stock. */
export function isAvailable({ stock }: Item, quantity = 1): boolean {
  return stock === null || stock >= quantity
}
