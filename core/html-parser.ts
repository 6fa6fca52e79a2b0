import { type Handler, Parser, type ParserOptions } from 'htmlparser2'

/** Elements within elements; browsers follow no further either (HTML, 13.2.6.1 leaves them that). */
export const DEEPEST = 512

/**
 * A parser of HTML for texts of strangers: it stops at what is nested more deeply than any page, without a further call
 * of the handler. The parser looks through all open elements at each tag, so its time would grow with their number.
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
