import type { Hooks } from '../../../core/hooks/types.ts'
import { currentRequest } from '../../../core/http/request-context.ts'
import { createYield } from '../../threads/yielding.ts'
import { remember } from '../render/remember.ts'
import type { Post } from '../types.ts'
import { prepareAttributes } from './attributes.ts'
import { CORE_BLOCK_TYPES } from './core-types.ts'
import { hasLayout, hasLinkColor, withLayout } from './layout.ts'
import { BLOCK_DEPTH, type BlockAttributes, type ParsedBlock, parseBlocks } from './parser.ts'
import { type RenderCallbackHook, renderCallbackHook, type SelfClosingHook, selfClosingHook } from './register.ts'
import { hasBlocks, stripBlocks } from './strip.ts'
import type { Block, BlockType } from './types.ts'

/** Every filter with which an extension can affect how blocks are rendered. */
export const BLOCK_FILTERS = ['pre_render_block', 'render_block*', 'block_render_callback_*'] as const

/** Owner whose callbacks depend only on the blocks that they render. */
const CORE = 'core'
const NAME = /<!--\s+wp:([a-z][a-z0-9_-]*(?:\/[a-z][a-z0-9_-]*)?)\s/g

/** Renders the blocks of a content. */
export interface DoBlocks {
  render(content: string, post: Post): string | Promise<string>
  /** Whether no extension filters blocks, and nothing renders any of these: their HTML is as it was saved. */
  isStatic(content: string): boolean
}

/**
 * WordPress's `do_blocks`: the HTML of a content with its blocks rendered. If no extension filters it and core renders nothing
 * in it, the result is the content without the block comments, which is cached.
 */
export function createDoBlocks(hooks: Hooks): DoBlocks {
  const stripped = remember(stripBlocks)
  const types = createBlockTypes(hooks)
  const isExtended = () => BLOCK_FILTERS.some((name) => hooks.owners(name).some((owner) => owner !== CORE))
  const isRendered = (name: string) =>
    name !== 'core/image' && (callbackOf(name) !== undefined || hasLayout(CORE_BLOCK_TYPES[name]))
  const callbackOf = (name: string) => callbackHooks(name).find((hook) => hooks.hasFilter(hook))

  /** Whether more than the saved HTML of blocks is rendered. An image does so only in a gallery, which is rendered too, or with `data-id`. */
  function hasRendered(content: string): boolean {
    const names = new Set(content.matchAll(NAME).map(([, name = '']) => fullName(name)))
    if (names.values().some(isRendered)) return true
    return content.includes('"elements":') || content.includes('"data-id":')
  }

  const isStatic = (content: string) => !isExtended() && !(hasBlocks(content) && hasRendered(content))

  return {
    isStatic,
    render(content, post) {
      if (!isStatic(content)) return renderBlocks(content, post, { hooks, types: types() })
      return hasBlocks(content) ? stripped(content) : content
    },
  }
}

/**
 * Collects the block types, which takes longer than rendering a short post, because each callback's result is checked. The types of core
 * are reused until callbacks are added or removed. Callbacks of extensions may depend on the request, so with them only the posts of one
 * request share the result.
 */
function createBlockTypes(hooks: Hooks): () => BlockTypes {
  const known = new WeakMap<object, BlockTypes>()
  return () => {
    const owners = hooks.owners('block_types')
    const key = owners.every((owner) => owner === CORE) ? owners : currentRequest()?.waiting
    const found = key && known.get(key)
    if (found) return found
    const types = hooks.applyFilters('block_types', {})
    if (key) known.set(key, types)
    return types
  }
}

type BlockTypes = Readonly<Record<string, BlockType>>

interface BlockParts {
  readonly hooks: Hooks
  readonly types: BlockTypes
}

/** Context in which a block is rendered. */
interface Around {
  readonly parent: Block | null
  readonly post: Post
  /** Everything that the enclosing blocks provide. */
  readonly context: BlockAttributes
  readonly depth: number
}

async function renderBlocks(text: string, post: Post, { hooks, types }: BlockParts): Promise<string> {
  const yieldTurn = createYield()
  let html = ''
  for (const block of parseBlocks(text)) {
    html += isSaved(block)
      ? block.innerContent.map((piece) => stripBlocks(piece ?? '')).join('')
      : await renderBlock(block, { parent: null, post, context: {}, depth: 0 })
  }
  return html

  /** Whether the saved HTML of a block is all there is to it, as for most paragraphs: nothing renders, filters or completes it. */
  function isSaved({ blockName: name, attrs, innerBlocks }: ParsedBlock): boolean {
    if (innerBlocks.length > 0 || hasLinkColor(attrs)) return false
    if (hooks.hasFilter('pre_render_block') || hooks.hasFilter('render_block_data') || hooks.hasFilter('render_block'))
      return false
    if (name === null) return true
    const hook = hookOfType(name)
    if (callbackHooks(name).some((callback) => hooks.hasFilter(callback)) || (hook && hooks.hasFilter(hook)))
      return false
    return !(Object.hasOwn(types, name) && hasLayout(types[name]))
  }

  /** `render_block`, then `WP_Block::render`. */
  async function renderBlock(source: ParsedBlock, around: Around): Promise<string> {
    const { parent, depth } = around
    await yieldTurn()
    if (hooks.hasFilter('pre_render_block')) {
      const early = await hooks.applyFiltersAsync('pre_render_block', null, source, parent, around.post)
      if (early !== null) return early
    }
    const parsedBlock = hooks.hasFilter('render_block_data')
      ? await hooks.applyFiltersAsync('render_block_data', source, source, parent, around.post)
      : source
    // A callback of render_block_data may nest blocks without end.
    const block = instanceOf(parsedBlock, { ...around, depth: Math.min(depth, BLOCK_DEPTH) })
    const { name } = block

    let content = block.type?.skipInnerBlocks ? '' : await block.renderInner()
    const callback = name === null ? undefined : callbackHooks(name, parsedBlock).find((hook) => hooks.hasFilter(hook))
    if (callback !== undefined) {
      // Nothing if the callback fails: it may have hidden the saved HTML from some visitors.
      const rendered = await hooks.applyFiltersAsync(callback, null, block.attributes, content, block)
      // If a list of core could not be rendered because the database was busy, only this response lacks it.
      if (rendered === null && name?.startsWith('core/')) currentRequest()?.markIncomplete()
      content = rendered ?? ''
    }
    content = withLayout(content, block)
    if (hooks.hasFilter('render_block')) {
      content = await hooks.applyFiltersAsync('render_block', content, parsedBlock, block)
    }
    const hook = hookOfType(name)
    return hook && hooks.hasFilter(hook) ? hooks.applyFiltersAsync(hook, content, parsedBlock, block) : content
  }

  function instanceOf(parsedBlock: ParsedBlock, { post, context, depth }: Around): Block {
    const { blockName: name, attrs } = parsedBlock
    const type = name !== null && Object.hasOwn(types, name) ? types[name] : undefined
    const attributes = type ? prepareAttributes(attrs, type.attributes) : attrs
    const within = { ...context, ...provided(type, attributes) }
    const block: Block = {
      ...{ name, attributes, parsedBlock, type, post },
      context: type ? pick(context, type.usesContext) : {},
      renderInner: (as = {}) =>
        renderInner(parsedBlock, inner(as.post ?? post, { ...within, ...as.context }, depth, block)),
      async renderBlocks(blocks, as = {}) {
        const around = inner(as.post ?? post, { ...within, ...as.context }, depth, block)
        const rendered: string[] = []
        for (const one of depth < BLOCK_DEPTH ? blocks : []) rendered.push(await renderBlock(one, around))
        return rendered
      },
    }
    return block
  }

  async function renderInner({ innerBlocks, innerContent }: ParsedBlock, around: Around): Promise<string> {
    let content = ''
    let at = 0
    for (const piece of innerContent) {
      if (piece !== null) {
        // Comments remain if blocks are nested too deeply or the text is damaged.
        content += stripBlocks(piece)
        continue
      }
      const one = innerBlocks[at++]
      if (one && around.depth <= BLOCK_DEPTH) content += await renderBlock(one, around)
    }
    return content
  }
}

const inner = (post: Post, context: BlockAttributes, depth: number, parent: Block): Around => ({
  ...{ parent, post, context },
  depth: depth + 1,
})

/** The filters to which render callbacks of a block type may belong; those of self-closing ones render only blocks without content. */
function callbackHooks(name: string, block?: ParsedBlock): (RenderCallbackHook | SelfClosingHook)[] {
  const hasContent = block?.innerContent.some((piece) => piece === null || piece.trim() !== '') ?? false
  return hasContent ? [renderCallbackHook(name)] : [renderCallbackHook(name), selfClosingHook(name)]
}

/** The name with its namespace: `core/quote` for `quote`, as names are saved. */
function fullName(saved: string): string {
  return saved.includes('/') ? saved : `core/${saved}`
}

/** Context that a block provides to its inner blocks; WordPress's `provides_context`. */
function provided(type: BlockType | undefined, attributes: BlockAttributes): BlockAttributes {
  if (!type) return {}
  return Object.fromEntries(
    Object.entries(type.providesContext).flatMap(([name, attribute]) => {
      const value = Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}

function pick(context: BlockAttributes, names: readonly string[]): BlockAttributes {
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(context, name) ? [[name, context[name] ?? null]] : [])),
  )
}

/** `render_block_core/quote`; none for a name set by a callback, such as `data`, which would be the name of another hook. */
function hookOfType(name: string | null): `render_block_${string}/${string}` | undefined {
  const [namespace, ofIt] = name?.split('/', 2) ?? []
  return ofIt === undefined ? undefined : `render_block_${namespace}/${ofIt}`
}
