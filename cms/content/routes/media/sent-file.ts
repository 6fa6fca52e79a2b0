import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { RestError } from '../../../../core/errors.ts'
import type { RestRequest } from '../../../../core/rest/types.ts'
import { nameFromDisposition } from '../../media/file-name.ts'
import { badRequest } from '../errors.ts'

/** A file that came with a request. */
export interface SentFile {
  readonly path: string
  readonly name: string
  readonly from: 'form' | 'body'
}

/**
 * The file of a request, as WordPress's `upload_from_file` and `upload_from_data` find it.
 * @throws RestError `rest_upload_no_data`, `rest_upload_no_content_type`, `rest_upload_no_content_disposition`,
 *   `rest_upload_invalid_disposition`, `rest_upload_hash_mismatch`
 */
export async function sentFile({ upload, headers }: Pick<RestRequest, 'upload' | 'headers'>): Promise<SentFile> {
  if (!upload || (upload.size === 0 && upload.from === 'body'))
    throw badRequest('rest_upload_no_data', 'No data supplied.')
  const { path, from } = upload
  const name = from === 'form' ? upload.name : nameOfBody(upload.type, headers['content-disposition'])
  await checkHash(path, headers['content-md5'])
  return { path, name, from }
}

function nameOfBody(type: string, disposition: string | undefined): string {
  if (type === '') throw badRequest('rest_upload_no_content_type', 'No Content-Type supplied.')
  if (!disposition) throw badRequest('rest_upload_no_content_disposition', 'No Content-Disposition supplied.')
  const name = nameFromDisposition(disposition)
  if (name !== undefined) return name
  const message =
    'Invalid Content-Disposition supplied. Content-Disposition needs to be formatted as `attachment; filename="image.png"` or similar.'
  throw badRequest('rest_upload_invalid_disposition', message)
}

/** In base64 (RFC 1864), or in hexadecimal digits as WordPress expects it. */
async function checkHash(path: string, expected: string | string[] | undefined): Promise<void> {
  if (typeof expected !== 'string' || expected.trim() === '') return
  const hash = createHash('md5')
  await pipeline(createReadStream(path), hash)
  const digest: Buffer = hash.digest()
  const wanted = expected.trim()
  if (wanted === digest.toString('base64') || wanted.toLowerCase() === digest.toString('hex')) return
  throw new RestError('rest_upload_hash_mismatch', 'Content hash did not match expected.', { status: 412 })
}
