import type { JsonValue } from '../../../core/options/types.ts'
import { createFinder } from '../render/scan.ts'

/** The attributes of a block, by name. */
export type BlockAttributes = Readonly<Record<string, JsonValue>>

/** One block of content, in the shape of WordPress's `parse_blocks`. */
export interface ParsedBlock {
  /** `core/paragraph`; `null` for HTML between blocks. */
  readonly blockName: string | null
  /** From the block comment; empty if its JSON is invalid. */
  readonly attrs: BlockAttributes
  readonly innerBlocks: readonly ParsedBlock[]
  /** The HTML within the block, without that of inner blocks. */
  readonly innerHTML: string
  /** The parts of `innerHTML`, with `null` in place of each inner block. */
  readonly innerContent: readonly (string | null)[]
}

/** Maximum nesting of blocks; deeper ones remain part of the HTML of the enclosing block. */
export const BLOCK_DEPTH = 100

/** A delimiter up to its attributes or its end; `\s` of PHP. */
const DELIMITER =
  /<!--[ \t\n\v\f\r]+(\/)?wp:([a-z][a-z0-9_-]*\/)?([a-z][a-z0-9_-]*)[ \t\n\v\f\r]+(?:(?=(\{))|(\/)?-->)/g
/** End of the attributes. */
const ATTRIBUTES_END = /\}[ \t\n\v\f\r]+\/?-->/g

interface Delimiter {
  readonly kind: 'opener' | 'closer' | 'void'
  readonly name: string
  readonly attrs: BlockAttributes
  readonly start: number
  readonly end: number
}

interface OpenBlock {
  readonly name: string | null
  readonly attrs: BlockAttributes
  readonly innerBlocks: ParsedBlock[]
  readonly innerContent: (string | null)[]
  /** Start of the HTML that is not in `innerContent` yet. */
  from: number
}

/**
 * WordPress's `parse_blocks`, in linear time: WordPress's regular expression scans the rest of the text again for each unclosed comment. As in
 * WordPress, the name of a closing comment is not compared, and after a closing comment without an open block, the rest of the text is
 * HTML. Unlike in WordPress, blocks open at the end of the text are closed there, innermost first: WordPress outputs the rest of the text
 * once for each of them.
 */
export function parseBlocks(text: string): ParsedBlock[] {
  const blocks: ParsedBlock[] = []
  const open: OpenBlock[] = []
  /** Number of open blocks beyond the depth limit. */
  let tooDeep = 0
  let from = 0

  const addFreeform = (to: number) => {
    if (to > from)
      blocks.push(blockOf({ name: null, attrs: {}, innerBlocks: [], innerContent: [text.slice(from, to)] }))
  }
  const addHtml = (block: OpenBlock, to: number) => {
    if (to > block.from) block.innerContent.push(text.slice(block.from, to))
  }
  /** Adds a block to its parent or to the list, and continues after it. */
  const add = (block: ParsedBlock, end: number) => {
    const around = open.at(-1)
    if (around) {
      around.innerBlocks.push(block)
      around.innerContent.push(null)
      around.from = end
    } else blocks.push(block)
    from = end
  }
  const close = (end: number, next: number) => {
    const block = open.pop()
    if (!block) return
    addHtml(block, end)
    add(blockOf(block), next)
  }

  for (const { kind, name, attrs, start, end } of delimiters(text)) {
    if (tooDeep > 0 || (kind !== 'closer' && open.length === BLOCK_DEPTH)) {
      if (kind !== 'void') tooDeep += kind === 'opener' ? 1 : -1
      continue
    }
    if (kind === 'closer') {
      if (open.length === 0) break
      close(start, end)
      continue
    }
    const around = open.at(-1)
    if (around) addHtml(around, start)
    else addFreeform(start)
    const block: OpenBlock = { name, attrs, innerBlocks: [], innerContent: [], from: end }
    if (kind === 'void') add(blockOf(block), end)
    else open.push(block)
  }
  while (open.length > 0) close(text.length, text.length)
  addFreeform(text.length)
  return blocks
}

function blockOf({ name, attrs, innerBlocks, innerContent }: Omit<OpenBlock, 'from'>): ParsedBlock {
  const innerHTML = innerContent.filter((piece) => piece !== null).join('')
  return { blockName: name, attrs, innerBlocks, innerHTML, innerContent }
}

function* delimiters(text: string): Generator<Delimiter, void> {
  const findEnd = createFinder(text, ATTRIBUTES_END)
  const found = new RegExp(DELIMITER)
  for (let match = found.exec(text); match; match = found.exec(text)) {
    const [whole, slash, namespace = 'core/', name = '', opening, selfClosing] = match
    const start = match.index
    let end = start + whole.length
    let attrs: BlockAttributes = {}
    let isVoid = selfClosing !== undefined
    if (opening !== undefined) {
      const brace = findEnd(end)
      if (brace < 0) continue
      attrs = readAttributes(text.slice(end, brace + 1))
      end = text.indexOf('-->', brace) + '-->'.length
      isVoid = text[end - '/-->'.length] === '/'
    }
    found.lastIndex = end
    // As in WordPress, `<!-- /wp:x /-->` is a block without content.
    const kind = isVoid ? 'void' : slash ? 'closer' : 'opener'
    yield { kind, name: namespace + name, attrs, start, end }
  }
}

function readAttributes(json: string): BlockAttributes {
  try {
    return JSON.parse(json)
  } catch {
    return {}
  }
}
