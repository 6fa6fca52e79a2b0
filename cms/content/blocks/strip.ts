/** Start of a block's comment: `<!-- wp:image {"id":4} -->`, `<!-- /wp:image -->`, `<!-- wp:latest-posts /-->`. */
const DELIMITER = /<!--\s+\/?wp:[a-z]/g

/** Whether the text was written in the block editor; WordPress's `has_blocks`. */
export function hasBlocks(content: string): boolean {
  return content.includes('<!-- wp:')
}

/**
 * The HTML of blocks without the comments that mark them. Blocks that WordPress renders on the server only
 * (`<!-- wp:latest-posts /-->`) contain no HTML and are removed.
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

/** Blocks whose text may appear in excerpts: those of WordPress's `excerpt_remove_blocks`, and list items. */
const OF_TEXT = new Set([
  ...['freeform', 'heading', 'html', 'list', 'list-item', 'media-text', 'paragraph', 'preformatted', 'pullquote'],
  ...['quote', 'table', 'verse', 'columns', 'column', 'group'],
])
const BLOCK = /<!--\s+(\/)?wp:(?:core\/)?([a-z][\w/-]*)/g

/**
 * Removes non-text blocks from the content (images with captions, code, embeds, buttons), but not block comments; `gap` replaces each
 * removed block.
 */
export function textBlocks(content: string, gap = ''): string {
  if (!hasBlocks(content)) return content
  let text = ''
  let from = 0
  /** Nesting depth inside a removed block. */
  let depth = 0
  let passed = 0
  for (const { index, 0: start, 1: slash, 2: name = '' } of content.matchAll(BLOCK)) {
    if (index < passed) continue
    const end = content.indexOf('-->', index + start.length)
    if (end < 0) break
    passed = end + 3
    const isVoid = content[end - 1] === '/'
    if (depth === 0) {
      if (slash || OF_TEXT.has(name)) continue
      text += content.slice(from, index) + gap
      from = passed
      if (!isVoid) depth = 1
    } else if (!isVoid) {
      depth += slash ? -1 : 1
      if (depth === 0) from = passed
    }
  }
  return depth > 0 ? text : text + content.slice(from)
}
