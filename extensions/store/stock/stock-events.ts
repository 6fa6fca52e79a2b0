import type { ExtensionHost } from 'pentad'
import type { Products } from '../catalog/products.ts'
import '../hooks.ts'
import type { StockStep } from './stock.ts'

/** Fires `store_stock_changed` after stock has changed. */
export type EmitStockChanges = (steps: readonly StockStep[]) => Promise<void>

export function createStockEvents(
  { hooks }: Pick<ExtensionHost, 'hooks'>,
  { productOf }: Pick<Products, 'productOf'>,
): EmitStockChanges {
  // The change is already stored: callbacks can no longer cancel it.
  const { doActionAsync } = hooks.limited({ cancelable: false })

  return async (steps) => {
    for (const step of steps) {
      const productId = step.before === step.after ? undefined : await productOf(step.itemId)
      if (productId !== undefined) await doActionAsync('store_stock_changed', { ...step, productId })
    }
  }
}
