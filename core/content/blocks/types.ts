import type { CallbackOptions, Undo } from '../../hooks/types.ts'
import type { JsonValue } from '../../options/types.ts'
import type { Post } from '../types.ts'
import type { BlockAttributes, ParsedBlock } from './parser.ts'

/** What one attribute of a block type may be, in the JSON schema of WordPress's `block.json`. */
export interface BlockAttributeSchema {
  /** `string`, `number`, `integer`, `boolean`, `array`, `object`, `null`, or several of them. */
  readonly type?: string | readonly string[]
  readonly enum?: readonly JsonValue[]
  /** Set where the attribute is missing or not valid. */
  readonly default?: JsonValue
}

/** A block type, in the words of WordPress's `block.json`. */
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
}

/** One block while it is rendered; WordPress's `WP_Block`. */
export interface Block {
  /** `null` for HTML between blocks. */
  readonly name: string | null
  /** Those of the block comment, invalid ones without, with the defaults of the block type. */
  readonly attributes: BlockAttributes
  readonly parsedBlock: ParsedBlock
  /** The post that it stands in. */
  readonly post: Post
}

/**
 * Returns the HTML of a block. What it takes over from the attributes it must escape.
 * @param content the saved HTML of the block, with its inner blocks rendered
 */
export type BlockRenderCallback = (
  attributes: BlockAttributes,
  content: string,
  block: Block,
) => string | Promise<string>

/** What a block type is registered with. */
export interface BlockTypeSettings extends Partial<Omit<BlockType, 'name'>> {
  /** Without it the block is static: its saved HTML is shown. */
  readonly renderCallback?: BlockRenderCallback
}

/** A parsed `block.json`. What else it holds is not read. */
export interface BlockMetadata extends Partial<Omit<BlockType, 'name'>> {
  readonly name: string
}

export type RegisterBlockType = (
  block: string | BlockMetadata,
  settings?: BlockTypeSettings,
  options?: Pick<CallbackOptions, 'onError'>,
) => Undo
