import { isAutopBlock } from '../../../../../../cms/content/render/autop.ts'

/** One block of stored content with the whitespace before it. */
export interface Segment {
  readonly gap: string
  readonly source: string
}

interface Token {
  readonly start: number
  readonly end: number
  /** Lower case; empty for a comment. */
  readonly name: string
  readonly isClosing: boolean
}

/** A comment, or a tag; attribute values may contain `>`. What is not closed extends to the end, as in browsers. */
const TOKEN = /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-z][a-z0-9-]*)(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^'">])*(?:>|$)/gi
/** An opening, closing, or void block comment: `<!-- wp:image {"id":4} -->`, `<!-- /wp:image -->`, `<!-- wp:latest-posts /-->`. */
const BLOCK_COMMENT = /^<!--\s*(\/?)wp:[\s\S]*?(\/?)\s*-->$/
/** An empty line. */
const EMPTY_LINE = /\r?\n[ \t]*\r?\n/g
/** Elements that are part of a line of text. */
export const INLINE = new Set('a abbr b br cite code em i img kbd mark q s small span strong sub sup u'.split(' '))
const VOID = new Set(['hr', 'img', 'br', 'col', 'area', 'embed', 'input', 'source', 'track', 'wbr'])
/** Elements whose content is not HTML. */
const RAW = new Set(['script', 'style', 'textarea', 'iframe'])

/** Whether content is in the block editor's format; WordPress's `has_blocks`. */
export const hasBlocks = (content: string) => content.includes('<!-- wp:')

/**
 * Splits stored content into its top-level blocks: blocks of the block editor, elements, and paragraphs of text. All gaps
 * and sources, followed by `end`, are the content again.
 */
export function segmentsOf(content: string): { readonly segments: readonly Segment[]; readonly end: string } {
  const endOfSegment = createSplitter(content)
  const segments: Segment[] = []
  let at = 0
  for (;;) {
    const start = at + content.slice(at).search(/\S|$/)
    if (start === content.length) return { segments, end: content.slice(at) }
    const end = start + content.slice(start, endOfSegment(start)).trimEnd().length
    segments.push({ gap: content.slice(at, start), source: content.slice(start, end) })
    at = end
  }
}

/** @returns where the segment that starts at the offset ends. Offsets must increase: each token is visited once. */
function createSplitter(content: string): (start: number) => number {
  const tokens = tokensOf(content)
  const isClassic = !hasBlocks(content)
  const emptyLines = isClassic ? [...content.matchAll(EMPTY_LINE)].map(({ index }) => index) : []
  /** The first token that is not before the segment. */
  let next = 0
  /** The first empty line that is not before the segment. */
  let nextLine = 0

  function endOfText(start: number): number {
    while ((emptyLines[nextLine] ?? content.length) < start) nextLine++
    const limit = emptyLines[nextLine] ?? content.length
    for (let at = next; at < tokens.length; at++) {
      const token = tokens[at]
      if (!token || token.start >= limit) break
      if (token.start > start && isBoundary(content, token, isClassic)) return token.start
    }
    return limit
  }

  return (start) => {
    while ((tokens[next]?.start ?? content.length) < start) next++
    const token = tokens[next]
    if (token?.start !== start || !isBoundary(content, token, isClassic)) return endOfText(start)
    if (token.name !== '') return endOfElement(tokens, next, isClassic)
    return isOpening(content, token) ? endOfBlock(content, tokens, next) : token.end
  }
}

function tokensOf(content: string): Token[] {
  const tokens: Token[] = []
  for (const { 0: text, 1: slash, 2: name = '', index } of content.matchAll(TOKEN)) {
    const last = tokens.at(-1)
    const lower = name.toLowerCase()
    const isInRaw = last !== undefined && RAW.has(last.name) && !last.isClosing
    if (isInRaw && !(lower === last.name && slash === '/')) continue
    tokens.push({ start: index, end: index + text.length, name: lower, isClosing: slash === '/' })
  }
  return tokens
}

/** Whether a block starts at the token. */
function isBoundary(content: string, token: Token, isClassic: boolean): boolean {
  if (token.name !== '') return !token.isClosing && isBlockElement(token.name, isClassic)
  return BLOCK_COMMENT.test(textOf(content, token)) || isAloneOnLine(content, token)
}

function endOfElement(tokens: readonly Token[], index: number, isClassic: boolean): number {
  const first = tokens[index]
  if (!first || VOID.has(first.name)) return first?.end ?? 0
  let depth = 0
  for (let at = index; at < tokens.length; at++) {
    const token = tokens[at]
    if (!token) break
    if (token.name === first.name) depth += token.isClosing ? -1 : 1
    // A paragraph without an end tag ends at the next block.
    else if (first.name === 'p' && !token.isClosing && token.name !== '' && isBlockElement(token.name, isClassic))
      return token.start
    if (depth === 0) return token.end
    if (first.name === 'p' && depth > 1) return token.start
  }
  return tokens.at(-1)?.end ?? first.end
}

function endOfBlock(content: string, tokens: readonly Token[], index: number): number {
  let depth = 0
  for (let at = index; at < tokens.length; at++) {
    const token = tokens[at]
    if (!token) break
    const [, closing, isVoid] = BLOCK_COMMENT.exec(textOf(content, token)) ?? []
    if (closing === undefined) continue
    if (closing === '/') depth--
    else if (isVoid === '') depth++
    if (depth === 0) return token.end
  }
  return content.length
}

function isOpening(content: string, token: Token): boolean {
  return BLOCK_COMMENT.exec(textOf(content, token))?.[1] === ''
}

function isBlockElement(name: string, isClassic: boolean): boolean {
  return isClassic ? isAutopBlock(name) : !INLINE.has(name)
}

/** `<!--more-->` and `<!--nextpage-->` are blocks of their own there. */
function isAloneOnLine(content: string, { start, end }: Token): boolean {
  const before = content.slice(0, start)
  const blanks = before.slice(before.trimEnd().length)
  const isFirst = blanks === before || blanks.includes('\n')
  return isFirst && /^[ \t]*(?:\r?\n|$)/.test(content.slice(end))
}

const textOf = (content: string, { start, end }: Token) => content.slice(start, end)
