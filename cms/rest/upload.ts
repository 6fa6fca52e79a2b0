import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type Koa from 'koa'
import { readBody, tooLarge } from '../../core/rest/body.ts'
import type { ReceivedUpload } from '../../core/rest/rest-call.ts'
import type { UploadRule } from '../../core/rest/types.ts'
import { readMultipart } from './multipart.ts'

/** Maximum size of the other fields of an upload form, in bytes. */
const FIELDS_LIMIT = 1024 * 1024

/**
 * Reads a request body with a file, as WordPress accepts it: a field of a multipart form, `file` unless the rule names
 * another one, or the body itself with `Content-Disposition`. The file is streamed to disk.
 *
 * @param bodyLimit the route's own limit for a body without a file, in bytes
 * @throws RestError `rest_request_too_large` (413) and the errors of `readBody`
 */
export async function readUpload(
  context: Koa.Context,
  { folder, maxBytes, field = 'file' }: UploadRule,
  bodyLimit = FIELDS_LIMIT,
): Promise<ReceivedUpload> {
  const { headers } = context.req
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isForm = type === 'multipart/form-data'
  const isFile = !isForm && (headers['content-disposition'] !== undefined || !isParameters(type))
  if (!isForm && !isFile) return { body: await readBody(context, bodyLimit), upload: null, remove: async () => {} }

  await mkdir(folder, { recursive: true })
  const own = await mkdtemp(join(folder, 'upload-'))
  const remove = () => rm(own, { recursive: true, force: true })
  const limit = typeof maxBytes === 'function' ? maxBytes() : maxBytes
  try {
    const received = isForm
      ? await receiveForm(context, { folder: own, maxBytes: limit, field })
      : await receiveRaw(context.req, own, limit)
    return { ...received, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Content types of bodies with parameters and no file. */
function isParameters(type: string): boolean {
  return type === 'application/x-www-form-urlencoded' || type === 'application/json'
}

async function receiveForm(
  context: Koa.Context,
  rule: Required<UploadRule> & { maxBytes: number },
): Promise<Omit<ReceivedUpload, 'remove'>> {
  const limit = rule.maxBytes + FIELDS_LIMIT
  const { body, file } = await readMultipart(context, limit, { ...rule, fieldsLimit: FIELDS_LIMIT })
  if (!file) return { body, upload: null }
  const { filepath: path, size, originalFilename, mimetype } = file
  return { body, upload: { path, size, name: originalFilename ?? '', type: mimetype ?? '', from: 'form' } }
}

/** A stream that is too long stays open, so that the client still receives the error. */
async function receiveRaw(
  request: IncomingMessage,
  folder: string,
  maxBytes: number,
): Promise<Omit<ReceivedUpload, 'remove'>> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const path = join(folder, 'body')
  let size = 0
  const file = await open(path, 'wx')
  try {
    const chunks: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false })
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > maxBytes) throw tooLarge(maxBytes)
      await file.write(chunk)
    }
  } finally {
    await file.close()
  }
  const type = request.headers['content-type'] ?? ''
  return { body: {}, upload: { path, size, name: '', type, from: 'body' } }
}
