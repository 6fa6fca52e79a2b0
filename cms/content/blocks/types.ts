import type { CallbackOptions, Undo } from '../../../core/hooks/types.ts'
import type { JsonValue } from '../../../core/options/types.ts'
import type { Post } from '../posts/types.ts'
import type { BlockAttributes, ParsedBlock } from './parser.ts'

/** Schema of an attribute of a block type, in the JSON Schema dialect of WordPress's `block.json`. */
export interface BlockAttributeSchema {
  /** `string`, `number`, `integer`, `boolean`, `array`, `object`, `null`, or several of them. */
  readonly type?: string | readonly string[]
  readonly enum?: readonly JsonValue[]
  /** Used if the attribute is missing or invalid. */
  readonly default?: JsonValue
  /** Where an editor finds the value in the saved HTML: `attribute`, `html`, `query`, … Ignored on the server. */
  readonly source?: string
  readonly selector?: string
  readonly attribute?: string
  readonly multiline?: string
  readonly query?: JsonValue
  readonly items?: JsonValue
}

/** A block type, with the property names of WordPress's `block.json`. */
export interface BlockType {
  /** `namespace/name` */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly category: string | null
  readonly icon: string | null
  readonly keywords: readonly string[]
  readonly supports: Readonly<Record<string, JsonValue>>
  readonly attributes: Readonly<Record<string, BlockAttributeSchema>>
  /** Contexts that blocks of this type receive from enclosing blocks. */
  readonly usesContext: readonly string[]
  /** Contexts provided to inner blocks, by name, with the attribute that contains the value. */
  readonly providesContext: Readonly<Record<string, string>>
  /** The render callback renders the inner blocks itself, `block.renderInner`; its `content` is empty. */
  readonly skipInnerBlocks: boolean
}

/** Reusable groups of blocks. */
export interface BlockPattern {
  readonly title: string
  /** With block comments, as in stored content. */
  readonly content: string
}

/** Overrides of the context in which inner blocks are rendered. */
export interface RenderedAs {
  readonly post?: Post
  /** Added to the context. */
  readonly context?: BlockAttributes
}

/** One block while it is rendered; WordPress's `WP_Block`. */
export interface Block {
  /** `null` for HTML between blocks. */
  readonly name: string | null
  /** The attributes of the block comment, without invalid ones and with the defaults of the block type. */
  readonly attributes: BlockAttributes
  readonly parsedBlock: ParsedBlock
  /** `undefined` for an unregistered type. */
  readonly type: BlockType | undefined
  /** The post that contains the block; within a query loop, the current post of the loop. */
  readonly post: Post
  /** The context from enclosing blocks that its type uses; WordPress's `$block->context`. */
  readonly context: BlockAttributes
  /** Renders the HTML within the block including inner blocks; may be called several times, as for each post of a loop. */
  renderInner(as?: RenderedAs): Promise<string>
  /** Renders other blocks in the place of the inner ones, each on its own. */
  renderBlocks(blocks: readonly ParsedBlock[], as?: RenderedAs): Promise<string[]>
}

/**
 * Returns the HTML of a block. It must escape the attributes that it outputs.
 * @param content the saved HTML of the block, with its inner blocks rendered
 */
export type BlockRenderCallback = (
  attributes: BlockAttributes,
  content: string,
  block: Block,
) => string | Promise<string>

/** Settings of a block type. */
export interface BlockTypeSettings extends Partial<Omit<BlockType, 'name'>> {
  /** Without it the block is static: its saved HTML is shown. */
  readonly renderCallback?: BlockRenderCallback
  /**
   * Whether the block is always saved without content, like `<!-- wp:events/next /-->`. Its callback then cannot hide any content, so other
   * posts and excerpts remain cached, and searches do not need to render their results. A block of this type that has content is shown as saved.
   */
  readonly isSelfClosing?: boolean
}

/** A parsed `block.json`; other members are ignored. */
export interface BlockMetadata extends Partial<Omit<BlockType, 'name'>> {
  readonly name: string
}

export type RegisterBlockType = (
  block: string | BlockMetadata,
  settings?: BlockTypeSettings,
  options?: Pick<CallbackOptions, 'onError'>,
) => Undo
