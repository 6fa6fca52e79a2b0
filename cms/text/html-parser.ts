import { deprecate } from 'node:util'
import { type Handler, Parser, type ParserOptions } from 'htmlparser2'
import { createYield } from '../threads/yielding.ts'

/** Elements within elements; browsers follow no further either (HTML, 13.2.6.1 leaves them that). */
export const DEEPEST = 512
/** Characters that `parseInChunks` parses in a row. */
const PIECE = 2048

/**
 * An HTML parser for untrusted input: it stops at elements that are nested more deeply than on any real page, and no longer calls
 * the handler. For each tag, the parser searches all open elements, so its running time would grow with their number.
 *
 * @example
 * ```ts
 * import { createHtmlParser } from 'pentad'
 *
 * let images = 0
 * const parser = createHtmlParser({
 *   onopentagname: (name) => {
 *     if (name === 'img') images++
 *   },
 * })
 * parser.end('<p><img src="a.png"></p>')
 * ```
 */
export function createHtmlParser(handler: Partial<Handler>, options?: ParserOptions): Parser {
  let depth = 0
  const parser = new Parser(
    {
      ...handler,
      onopentagname(name) {
        if (++depth > DEEPEST) parser.pause()
        else handler.onopentagname?.(name)
      },
      onopentag(name, attributes, isImplied) {
        if (depth <= DEEPEST) handler.onopentag?.(name, attributes, isImplied)
      },
      onclosetag(name, isImplied) {
        depth--
        handler.onclosetag?.(name, isImplied)
      },
    },
    options,
  )
  return parser
}

/**
 * Parses text that may be large, and yields to the event loop between chunks. The text of an element may arrive in several parts.
 * @param isEnough stops early if it returns `true`
 */
export async function parseInChunks(parser: Parser, html: string, isEnough: () => boolean = () => false) {
  const yieldTurn = createYield()
  for (let at = 0; at < html.length && !isEnough(); at += PIECE) {
    await yieldTurn()
    parser.write(html.slice(at, at + PIECE))
  }
  parser.end()
}

/** @deprecated Use `parseInChunks`. */
export const parseInPieces = deprecate(
  parseInChunks,
  'parseInPieces was renamed to parseInChunks.',
  'PENTAD_PARSE_IN_PIECES',
)
