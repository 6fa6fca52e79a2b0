import { textAttribute } from '../../../content/blocks/attributes.ts'
import { parseBlocks } from '../../../content/blocks/parser.ts'
import { wrapperAttributes } from '../../../content/blocks/supports.ts'
import type { Block } from '../../../content/types.ts'
import { type BlockParts, choiceClass, classNames } from '../parts.ts'
import type { FindComments } from './list.ts'

/** The inner blocks that the block editor creates when it opens the block: those of `core/comments`, and the form. */
const BLOCKS = parseBlocks(
  [
    '<!-- wp:comments-title {"level":3} /-->',
    '<!-- wp:comment-template -->',
    '<!-- wp:avatar {"size":40} /--><!-- wp:comment-author-name /--><!-- wp:comment-date /-->',
    '<!-- wp:comment-edit-link /--><!-- wp:comment-content /--><!-- wp:comment-reply-link /-->',
    '<!-- /wp:comment-template -->',
    '<!-- wp:post-comments-form /-->',
  ].join(''),
)

/**
 * `core/post-comments`, and `core/comments` with `legacy`: comments and form as WordPress up to 6.0 saved them, without
 * inner blocks.
 */
export async function renderLegacyComments(
  { discussion }: Pick<BlockParts, 'discussion'>,
  find: FindComments,
  block: Block,
): Promise<string> {
  const list = await find(block.post)
  if (!discussion.isOpen(block.post) && list.byId.size === 0) return ''
  const align = choiceClass('has-text-align-', textAttribute(block.attributes, 'textAlign'))
  const names = classNames(align, block.name === 'core/comments' && 'wp-block-post-comments')
  const parts = await block.renderBlocks(BLOCKS)
  return `<div ${wrapperAttributes(block, { class: names })}>${parts.join('')}</div>`
}
