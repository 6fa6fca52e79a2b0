import type { ExtensionHost } from 'pentad'
import type { Products } from '../catalog/products.ts'
import '../hooks.ts'
import type { StockStep } from './stock.ts'

/** Tells extensions of stock that changed, after it did. */
export type EmitStockChanges = (steps: readonly StockStep[]) => Promise<void>

export function createStockEvents(
  { hooks }: Pick<ExtensionHost, 'hooks'>,
  { productOf }: Pick<Products, 'productOf'>,
): EmitStockChanges {
  // The change is done: no listener refuses it any more.
  const { doActionAsync } = hooks.limited({ cancelable: false })

  return async (steps) => {
    for (const step of steps) {
      const productId = step.before === step.after ? undefined : await productOf(step.itemId)
      if (productId !== undefined) await doActionAsync('store_stock_changed', { ...step, productId })
    }
  }
}
