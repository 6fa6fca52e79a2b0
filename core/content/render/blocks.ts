/** Start of a block's comment: `<!-- wp:image {"id":4} -->`, `<!-- /wp:image -->`, `<!-- wp:latest-posts /-->`. */
const DELIMITER = /<!--\s+\/?wp:[a-z]/g

/** Whether the text was written in the block editor; WordPress's `has_blocks`. */
export function hasBlocks(content: string): boolean {
  return content.includes('<!-- wp:')
}

/**
 * The HTML of blocks without the comments that mark them. Blocks that WordPress renders on the server only
 * (`<!-- wp:latest-posts /-->`) hold no HTML and vanish.
 */
export function stripBlocks(content: string): string {
  if (!hasBlocks(content)) return content
  let html = ''
  let from = 0
  DELIMITER.lastIndex = 0
  for (let match = DELIMITER.exec(content); match; match = DELIMITER.exec(content)) {
    const end = content.indexOf('-->', match.index)
    if (end < 0) break
    html += content.slice(from, match.index)
    from = DELIMITER.lastIndex = end + 3
  }
  return html + content.slice(from)
}
