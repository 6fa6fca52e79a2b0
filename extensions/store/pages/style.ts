import type { ExtensionHost } from 'pentad'
import { PRODUCT } from '../catalog/content-types.ts'
import type { StoreSettings } from '../settings.ts'

/** Styles of price, forms and cart, in the colors of the theme. */
const STYLE = `<style>
.type-product :is(.entry-meta,.byline){display:none}
.store-price{font-size:1.25em;font-weight:700;margin-block:.5em}
.store-buy form{display:flex;flex-wrap:wrap;gap:1rem;align-items:end}
.store-cart td form{display:inline-flex;flex-wrap:wrap;gap:.5rem;margin-inline-end:.75rem}
.store-cart td button.store-remove{background:none;color:inherit;border:0;padding:.5rem 0;font-weight:400;text-decoration:underline}
.store-cart td a{overflow-wrap:anywhere}
.store-order{display:grid;gap:1rem;max-width:32rem}
:is(.store-buy,.store-order) label{display:grid;gap:.25rem}
:is(.store-buy,.store-cart) input[type=number]{width:5.5rem;padding:.5rem .7rem;font:inherit;color:inherit;background:none;border:1px solid var(--muted,currentcolor);border-radius:var(--radius,.4rem)}
.store-notice{border-inline-start:.3rem solid;padding:.5rem 1rem}
</style>
`

/** Cache tag of all pages with store data. */
export const STORE_TAG = 'store'

/** Adds the styles and the cache tag to pages with products or the cart. */
export function styleShop({ hooks }: Pick<ExtensionHost, 'hooks'>, settings: () => StoreSettings): void {
  hooks.addAction('wp_head', (output, page) => {
    const shows = page.posts.some(({ type, id }) => type === PRODUCT || id === settings().cartPage)
    if (!shows) return
    page.addTags(STORE_TAG)
    output.print(STYLE)
  })
}
