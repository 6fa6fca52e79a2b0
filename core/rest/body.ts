import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createUnzip } from 'node:zlib'
import type Koa from 'koa'
import { RestError } from '../errors.ts'
import { isObject } from '../schema/convert.ts'
import { parseForm } from './form.ts'
import { invalidJson, rejectUnsafe } from './unsafe-input.ts'

export type Body = Readonly<Record<string, unknown>>

const NO_BODY: Body = Object.freeze({})

/** WordPress's `is_json_content_type`: `application/json`, `application/ld+json`, … */
const JSON_TYPE = /^application\/([\w!#$&^.+-]+\+)?json(\+oembed)?$/i

/**
 * Reads the parameters from a request body of at most `limit` bytes: JSON, forms, and the fields of multipart forms
 * (files are ignored unless the route has `upload`). Plain text that is a JSON object is accepted too, because
 * `navigator.sendBeacon` sends it that way; other types are ignored, as in WordPress.
 *
 * @throws RestError `rest_invalid_json`, `rest_invalid_param`, `rest_request_too_large` (413),
 * `rest_unsupported_encoding` (415), `rest_invalid_body`
 */
export async function readBody(
  context: Koa.Context,
  limit: number,
  readMultipart?: (context: Koa.Context, limit: number) => Promise<Body>,
): Promise<Body> {
  const { headers, method = '' } = context.req
  if (!WITH_BODY.includes(method)) return NO_BODY
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return NO_BODY
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'multipart/form-data') return readMultipart ? readMultipart(context, limit) : NO_BODY
  const isText = type === 'text/plain'
  if (!isText && type !== 'application/x-www-form-urlencoded' && !JSON_TYPE.test(type)) return NO_BODY

  const text = await readText(context, limit)
  if (text.trim() === '') return NO_BODY
  if (type === 'application/x-www-form-urlencoded') return parseForm(text)
  if (isText && !/^\s*\{/.test(text)) return NO_BODY
  return parseJson(text)
}

/** A JSON body must be an object; lists and scalars contain no parameters. */
function parseJson(text: string): Body {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalidJson()
  }
  rejectUnsafe(value)
  return isObject(value) ? value : NO_BODY
}

/** Methods whose request bodies are read; WordPress clients send one with DELETE too. */
const WITH_BODY: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE']

/** Bodies that were already read, for example to find the nonce of a form. */
const readTexts = new WeakMap<IncomingMessage, string>()

/** Kept, because importing it again for each request takes time too. */
let rawBody: typeof import('raw-body') | undefined

async function readText({ req }: Koa.Context, limit: number): Promise<string> {
  const known = readTexts.get(req)
  if (known !== undefined) {
    if (Buffer.byteLength(known) > limit) throw tooLarge(limit)
    return known
  }
  // Imported on first use, so that startup does not wait for it.
  rawBody ??= (await import('raw-body')).default
  const read = rawBody
  const length = encodingOf(req) === 'identity' ? (req.headers['content-length'] ?? null) : null
  const text = await parseBody(req, limit, () => read(decoded(req), { limit, length, encoding: 'utf8' }))
  readTexts.set(req, text)
  return text.replace(/^\uFEFF/, '')
}

const encodingOf = ({ headers }: IncomingMessage) => headers['content-encoding']?.trim().toLowerCase() || 'identity'

/** The request body without its Content-Encoding (RFC 9110, 8.4). */
function decoded(request: IncomingMessage): Readable {
  switch (encodingOf(request)) {
    case 'identity':
      return request
    case 'gzip':
    case 'deflate':
      return request.pipe(createUnzip())
    case 'br':
      return request.pipe(createBrotliDecompress())
    default:
      throw Object.assign(new Error('Unknown character encoding.'), { status: 415 })
  }
}

/**
 * Runs a body parser.
 *
 * @throws RestError `rest_request_too_large` (413), `rest_unsupported_encoding` (415), `rest_invalid_body`
 */
export async function parseBody<Result>(
  request: IncomingMessage,
  limit: number,
  parse: () => Promise<Result>,
): Promise<Result> {
  try {
    return await untilClosed(request, parse)
  } catch (error) {
    const status = statusOf(error)
    if (status === 413) throw tooLarge(limit)
    if (status === 415) {
      throw new RestError('rest_unsupported_encoding', 'The content encoding of the request body is not supported.', {
        status: 415,
      })
    }
    throw new RestError('rest_invalid_body', 'The request body could not be read.', { status: 400 })
  }
}

/** Rejects when the request is aborted: a parser that starts to listen afterward would never finish. */
async function untilClosed<Result>(request: IncomingMessage, work: () => Promise<Result>): Promise<Result> {
  const { promise: broken, reject } = Promise.withResolvers<never>()
  const closed = () => {
    if (!request.readableEnded) reject(new Error('The request was aborted.'))
  }
  request.once('close', closed)
  if (request.destroyed) closed()
  try {
    return await Promise.race([work(), broken])
  } finally {
    request.off('close', closed)
  }
}

/** The text parser sets `status`, the form parser `httpCode`. */
function statusOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined
  if ('status' in error) return error.status
  return 'httpCode' in error ? error.httpCode : undefined
}

/** The rest of the body is not read, so the connection is closed after the response. */
export function tooLarge(limit: number): RestError {
  return new RestError(
    'rest_request_too_large',
    `The request body is larger than ${limit < 2 ** 20 ? `${limit} bytes` : `${Math.floor(limit / 2 ** 20)} MB`}.`,
    { status: 413, limit },
    { Connection: 'close' },
  )
}
