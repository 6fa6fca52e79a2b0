import type Koa from 'koa'
import { HttpMethodEnum, koaBody } from 'koa-body'
import { RestError } from '../errors.ts'
import { parseForm } from './form.ts'
import { isObject } from './parameters/convert.ts'
import { invalidJson, refuseUnsafe } from './unsafe-input.ts'

export type Body = Readonly<Record<string, unknown>>

const NO_BODY: Body = Object.freeze({})

const WRITING = [HttpMethodEnum.POST, HttpMethodEnum.PUT, HttpMethodEnum.PATCH, HttpMethodEnum.DELETE]

/** WordPress's `is_json_content_type`: `application/json`, `application/ld+json`, … */
const JSON_TYPE = /^application\/([\w!#$&^.+-]+\+)?json(\+oembed)?$/i

/**
 * Reads the parameters from a request's body, no more than `limit` bytes of it: JSON, forms and the fields of
 * multipart forms (their files are passed over; a route for uploads takes the stream). Text that is a JSON object
 * counts too, because `navigator.sendBeacon` sends such; other types are ignored, as in WordPress.
 *
 * @throws RestError `rest_invalid_json`, `rest_invalid_param`, `rest_request_too_large` (413), `rest_length_required` (411),
 *   `rest_unsupported_encoding` (415), `rest_invalid_body`
 */
export async function readBody(context: Koa.Context, limit: number): Promise<Body> {
  const { headers } = context.req
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return NO_BODY
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'multipart/form-data') return readMultipart(context, limit)
  const isText = type === 'text/plain'
  if (!isText && type !== 'application/x-www-form-urlencoded' && !JSON_TYPE.test(type)) return NO_BODY

  const text = await readText(context, limit)
  if (text.trim() === '') return NO_BODY
  if (type === 'application/x-www-form-urlencoded') return parseForm(text)
  if (isText && !/^\s*\{/.test(text)) return NO_BODY
  return parseJson(text)
}

/** A JSON body is an object of parameters; lists and bare values name none. */
function parseJson(text: string): Body {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalidJson()
  }
  refuseUnsafe(value)
  return isObject(value) ? value : NO_BODY
}

/** One reader for each limit, made once: its options are checked when it is made. */
const readers = new Map<number, Koa.Middleware>()

async function readText(context: Koa.Context, limit: number): Promise<string> {
  let reader = readers.get(limit)
  if (!reader) {
    reader = koaBody({
      json: false,
      urlencoded: false,
      textTypes: ['*/*'],
      textLimit: limit,
      patchKoa: true,
      parsedMethods: WRITING,
    })
    readers.set(limit, reader)
  }
  const body = await read(context, reader, limit)
  return typeof body === 'string' ? body.replace(/^\uFEFF/, '') : ''
}

async function readMultipart(context: Koa.Context, limit: number): Promise<Body> {
  // The files of the form are not counted by the parser, so the whole must say how long it is.
  const length = context.req.headers['content-length']
  if (length === undefined) {
    throw new RestError('rest_length_required', 'A multipart form must say how long it is.', { status: 411 })
  }
  if (Number(length) > limit) throw tooLarge(limit)
  const reader = koaBody({
    multipart: true,
    json: false,
    urlencoded: false,
    text: false,
    formidable: { maxFieldsSize: limit, filter: (part) => part.originalFilename === null },
    parsedMethods: WRITING,
  })
  const fields = await read(context, reader, limit)
  if (!isObject(fields)) return NO_BODY
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item): [string, string] => [name, String(item)]),
  )
  return parseForm(new URLSearchParams(pairs))
}

/** Answers what the parser read, its refusals as ours. */
async function read(context: Koa.Context, reader: Koa.Middleware, limit: number): Promise<unknown> {
  try {
    await reader(context, nothingMore)
  } catch (error) {
    const status = error instanceof Error && 'status' in error ? error.status : undefined
    if (status === 413) throw tooLarge(limit)
    if (status === 415) {
      throw new RestError('rest_unsupported_encoding', 'The encoding of the body is not supported.', { status: 415 })
    }
    throw new RestError('rest_invalid_body', 'The body could not be read.', { status: 400 })
  }
  return context.request.body
}

async function nothingMore(): Promise<void> {}

/** The rest of the body is not wanted, so the connection ends with the answer. */
function tooLarge(limit: number): RestError {
  return new RestError(
    'rest_request_too_large',
    `The body is larger than ${limit} bytes.`,
    { status: 413, limit },
    { Connection: 'close' },
  )
}
