import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { RequestHead } from '../../core/http/front.ts'

/** Longest request that is read here, in bytes. */
const LONGEST = 8_192

/** Only visible characters in the target. Whether it is the URL of a page is decided later. */
const FIRST_LINE = /^(GET|HEAD) (\/[!-~]*) HTTP\/1\.1\r\n/
/** A line with a name, one space, and a value of visible characters and spaces, not at its ends. */
const HEADER = /([a-z][a-z\d-]*): ([!-~](?:[ -~]*[!-~])?)\r\n/iy
/** Headers that may change what follows on the connection, and the one that Node returns as a list. */
const NOT_PLAIN: ReadonlySet<string> = new Set([
  ...['content-length', 'transfer-encoding', 'trailer', 'te', 'upgrade', 'http2-settings'],
  ...['expect', 'keep-alive', 'proxy-connection', 'set-cookie'],
])

/**
 * Parses a chunk that is exactly one complete GET or HEAD request without a body, written as browsers and proxies write it: with `Host`, and
 * without repeated headers. Returns `undefined` for anything else, which is left to Node's parser.
 */
export function parsePlainRequest(chunk: Buffer, socket: Socket): RequestHead | undefined {
  if (chunk.length > LONGEST) return undefined
  // Bytes outside of ASCII match none of the expressions.
  const text = chunk.toString('latin1')
  const [first, method, url] = FIRST_LINE.exec(text) ?? []
  if (first === undefined || method === undefined || url === undefined) return undefined
  const headers: IncomingHttpHeaders = {}
  const end = text.length - 2
  let at = first.length
  while (at < end) {
    HEADER.lastIndex = at
    const [line, written = '', value = ''] = HEADER.exec(text) ?? []
    if (line === undefined) return undefined
    const name = written.toLowerCase()
    // Also rejects the names of members that every object has.
    if (headers[name] !== undefined || NOT_PLAIN.has(name)) return undefined
    if (name === 'connection' && value.toLowerCase() !== 'keep-alive') return undefined
    headers[name] = value
    at += line.length
  }
  const isComplete = at === end && text.endsWith('\r\n\r\n')
  return isComplete && headers.host !== undefined ? { method, url, headers, socket } : undefined
}
