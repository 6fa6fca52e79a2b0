import type { IncomingMessage } from 'node:http'
import type { PluginFunction } from 'formidable'
import type Koa from 'koa'
import type { ExtendedFormidableOptions, koaBody } from 'koa-body'
import { RestError } from '../errors.ts'
import { parseForm } from './form.ts'
import { isObject } from './parameters/convert.ts'
import { invalidJson, refuseUnsafe } from './unsafe-input.ts'

export type Body = Readonly<Record<string, unknown>>

const NO_BODY: Body = Object.freeze({})

/** WordPress's `is_json_content_type`: `application/json`, `application/ld+json`, … */
const JSON_TYPE = /^application\/([\w!#$&^.+-]+\+)?json(\+oembed)?$/i

/**
 * Reads the parameters from a request's body, no more than `limit` bytes of it: JSON, forms and the fields of
 * multipart forms (their files are passed over; a route with `upload` takes one). Text that is a JSON object
 * counts too, because `navigator.sendBeacon` sends such; other types are ignored, as in WordPress.
 *
 * @throws RestError `rest_invalid_json`, `rest_invalid_param`, `rest_request_too_large` (413),
 *   `rest_unsupported_encoding` (415), `rest_invalid_body`
 */
export async function readBody(context: Koa.Context, limit: number): Promise<Body> {
  const { headers } = context.req
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return NO_BODY
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'multipart/form-data') return (await readMultipart(context, limit)).body
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
  // A form whose nonce was looked for.
  const { body: known } = context.request
  if (typeof known === 'string') {
    if (Buffer.byteLength(known) > limit) throw tooLarge(limit)
    return known
  }
  let reader = readers.get(limit)
  if (!reader) {
    reader = await createReader({
      json: false,
      urlencoded: false,
      textTypes: ['*/*'],
      textLimit: limit,
      patchKoa: true,
    })
    readers.set(limit, reader)
  }
  const body = await read(context, reader, limit)
  return typeof body === 'string' ? body.replace(/^\uFEFF/, '') : ''
}

/** Loaded with the first body: a start need not wait for it. */
async function createReader(options: NonNullable<Parameters<typeof koaBody>[0]>): Promise<Koa.Middleware> {
  const { HttpMethodEnum, koaBody } = await import('koa-body')
  const { POST, PUT, PATCH, DELETE } = HttpMethodEnum
  return koaBody({ ...options, parsedMethods: [POST, PUT, PATCH, DELETE] })
}

/** Where the file of a form goes, and how large it and the other fields may be. */
export interface FileRule {
  readonly folder: string
  readonly field: string
  readonly maxBytes: number
  readonly fieldsLimit: number
}

type FormFile = Exclude<NonNullable<Koa.Request['files']>[string], readonly unknown[]>

/**
 * The fields of a multipart form of at most `limit` bytes and, where there is a rule for it, its first file in the
 * rule's field. Other files are passed over.
 */
export async function readMultipart(
  context: Koa.Context,
  limit: number,
  rule?: FileRule,
): Promise<{ body: Body; file: FormFile | undefined }> {
  if (Number(context.req.headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
  const { multipart } = await import('formidable')
  const reader = await createReader({
    multipart: true,
    json: false,
    urlencoded: false,
    text: false,
    formidable: {
      ...(rule ? fileOptions(rule) : { maxFieldsSize: limit, filter: isField }),
      enabledPlugins: [multipart, tellFilesByName, endAfter(limit)],
    },
  })
  const fields = await read(context, reader, rule?.maxBytes ?? limit)
  const files = rule && context.request.files?.[rule.field]
  const file = Array.isArray(files) ? files[0] : files
  if (!isObject(fields)) return { body: NO_BODY, file }
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item): [string, string] => [name, String(item)]),
  )
  return { body: parseForm(new URLSearchParams(pairs)), file }
}

/** A part with a file name is a file; one without a Content-Type is of `text/plain` (RFC 7578, 4.4). The parser goes by the type. */
const tellFilesByName: PluginFunction = (form) => {
  const handle = form.onPart.bind(form)
  form.onPart = (part) => {
    part.mimetype = isField(part) ? null : part.mimetype || 'text/plain'
    return handle(part)
  }
}

/** The parser counts neither the files that it skips nor the parts' headers, and a form sent in chunks does not say how long it is. */
const endAfter =
  (limit: number): PluginFunction =>
  (form) => {
    form.on('progress', (received) => {
      // What its listener throws ends the parser.
      if (received > limit) throw tooLarge(limit)
    })
  }

const isField = ({ originalFilename }: { originalFilename: string | null }) => originalFilename === null

function fileOptions({ folder, field, maxBytes, fieldsLimit }: FileRule): ExtendedFormidableOptions {
  let isTaken = false
  return {
    uploadDir: folder,
    maxFileSize: maxBytes,
    maxFieldsSize: fieldsLimit,
    allowEmptyFiles: true,
    minFileSize: 0,
    filter(part) {
      if (isField(part)) return true
      if (isTaken || part.name !== field) return false
      isTaken = true
      return true
    },
  }
}

/** Answers what the parser read, its refusals as ours. */
async function read(context: Koa.Context, reader: Koa.Middleware, limit: number): Promise<unknown> {
  try {
    await whileThere(context.req, () => reader(context, nothingMore))
  } catch (error) {
    const status = statusOf(error)
    if (status === 413) throw tooLarge(limit)
    if (status === 415) {
      throw new RestError('rest_unsupported_encoding', 'The encoding of the body is not supported.', { status: 415 })
    }
    throw new RestError('rest_invalid_body', 'The body could not be read.', { status: 400 })
  }
  return context.request.body
}

/** A parser never comes to an end of a request that broke off before it listened. */
async function whileThere(request: IncomingMessage, work: () => Promise<unknown>): Promise<void> {
  const { promise: broken, reject } = Promise.withResolvers<never>()
  const closed = () => {
    if (!request.readableEnded) reject(new Error('The request broke off.'))
  }
  request.once('close', closed)
  if (request.destroyed) closed()
  try {
    await Promise.race([work(), broken])
  } finally {
    request.off('close', closed)
  }
}

/** The parser of text says `status`, that of forms `httpCode`. */
function statusOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined
  if ('status' in error) return error.status
  return 'httpCode' in error ? error.httpCode : undefined
}

async function nothingMore(): Promise<void> {}

/** The rest of the body is not wanted, so the connection ends with the answer. */
export function tooLarge(limit: number): RestError {
  return new RestError(
    'rest_request_too_large',
    `The body is larger than ${limit} bytes.`,
    { status: 413, limit },
    { Connection: 'close' },
  )
}
