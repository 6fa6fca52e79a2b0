import type { CallbackOptions, Hooks, Undo } from '../../../core/hooks/types.ts'
import { supportAttributes } from './supports.ts'
import type { BlockMetadata, BlockType, BlockTypeSettings } from './types.ts'

/** Each render callback is a filter, so that it is guarded, limited in time and inspected like other callbacks. */
export type RenderCallbackHook = `block_render_callback_${string}`
export const renderCallbackHook = (name: string): RenderCallbackHook => `block_render_callback_${name}`

/** Filters of the render callbacks of self-closing block types; see `BlockTypeSettings`. */
export const SELF_CLOSING = 'self_closing_block_callback_*'
export type SelfClosingHook = `self_closing_block_callback_${string}`
export const selfClosingHook = (name: string): SelfClosingHook => `self_closing_block_callback_${name}`

/** Attributes that every block may have; `WP_Block_Type::GLOBAL_ATTRIBUTES`. */
const GLOBAL_ATTRIBUTES = { lock: { type: 'object' }, metadata: { type: 'object' } } as const

/**
 * WordPress's `register_block_type`: registers a block type with the given hooks. The last registration of a name applies.
 * @returns a function that undoes it
 * @throws TypeError if the name is not `namespace/name` in lower case
 */
export function registerBlockType(
  hooks: Pick<Hooks, 'addFilter'>,
  block: string | BlockMetadata,
  settings: BlockTypeSettings = {},
  options: Pick<CallbackOptions, 'onError'> = {},
): Undo {
  const { renderCallback, isSelfClosing, ...given } = settings
  const type = completeBlockType(typeof block === 'string' ? { name: block, ...given } : { ...block, ...given })
  const undoType = hooks.addFilter('block_types', (types) => ({ ...types, [type.name]: type }))
  const undoCallback =
    renderCallback &&
    hooks.addFilter(
      isSelfClosing ? selfClosingHook(type.name) : renderCallbackHook(type.name),
      (_html, attributes, content, instance) => renderCallback(attributes, content, instance),
      options,
    )
  return () => {
    undoType()
    undoCallback?.()
  }
}

/** A block type with defaults for everything that its registration omits. @throws TypeError as `registerBlockType` */
export function completeBlockType(given: BlockMetadata): BlockType {
  const { name, title = '', description = '', category = null, icon = null, keywords = [], supports = {} } = given
  if (!/^[a-z0-9-]+\/[a-z0-9-]+$/.test(name)) {
    throw new TypeError(`The block type "${name}" must be named namespace/name, of a-z, 0-9 and -.`)
  }
  const attributes = { ...GLOBAL_ATTRIBUTES, ...supportAttributes(supports), ...given.attributes }
  const { usesContext = [], providesContext = {}, skipInnerBlocks = false } = given
  return Object.freeze({
    ...{ name, title, description, category, icon, keywords, supports, attributes },
    ...{ usesContext, providesContext, skipInnerBlocks },
  })
}
