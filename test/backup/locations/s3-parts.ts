import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Middleware } from 'koa'

/**
 * s3rver keeps the parts of an upload but knows neither ListParts nor ListMultipartUploads nor AbortMultipartUpload (S3 API
 * reference); this answers them from its own folders of parts.
 */
export function partsOf(directory: string): Middleware {
  return async (context, next) => {
    const { uploadId, uploads, prefix } = context.query
    const uploadsFolder = join(directory, context.path.split('/')[1] ?? '', '._S3rver_uploads')
    if (context.method === 'GET' && uploads !== undefined) {
      const found = foldersIn(uploadsFolder)
        .map((id) => ({ id, key: readFileSync(join(uploadsFolder, id, 'key'), 'utf8') }))
        .filter(({ key }) => key.startsWith(String(prefix ?? '')))
      context.type = 'application/xml'
      context.body = xml(
        'ListMultipartUploadsResult',
        found.map(({ id, key }) => `<Upload><Key>${escaped(key)}</Key><UploadId>${id}</UploadId></Upload>`),
      )
      return
    }
    if (typeof uploadId !== 'string' || (context.method !== 'GET' && context.method !== 'DELETE')) return next()
    const folder = join(uploadsFolder, uploadId)
    if (!existsSync(folder)) {
      context.status = 404
      context.type = 'application/xml'
      context.body = xml('Error', ['<Code>NoSuchUpload</Code><Message>gone</Message>'])
      return
    }
    if (context.method === 'DELETE') {
      rmSync(folder, { recursive: true })
      context.status = 204
      return
    }
    const parts = readdirSync(folder)
      .filter((name) => /^\d+$/.test(name) && existsSync(join(folder, `${name}.md5`)))
      .sort((a, b) => Number(a) - Number(b))
    context.type = 'application/xml'
    context.body = xml(
      'ListPartsResult',
      parts.map((name) => {
        const etag = readFileSync(join(folder, `${name}.md5`), 'utf8')
        const { size } = statSync(join(folder, name))
        return `<Part><PartNumber>${name}</PartNumber><ETag>&quot;${etag}&quot;</ETag><Size>${size}</Size></Part>`
      }),
    )
  }
}

/** Ids of the uploads under way in s3rver's folder of a bucket. */
export function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  // A part that was on its way while its upload was ended makes the folder again, without a key.
  return readdirSync(folder).filter((id) => existsSync(join(folder, id, 'key')))
}

function xml(name: string, content: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?><${name}>${content.join('')}</${name}>`
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
