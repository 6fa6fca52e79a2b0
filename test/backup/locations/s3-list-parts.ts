import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Middleware } from 'koa'

/** s3rver keeps parts but cannot list them; this answers ListParts (S3 API reference) from its own folder of parts. */
export function listParts(directory: string): Middleware {
  return async (context, next) => {
    const { uploadId } = context.query
    if (context.method !== 'GET' || typeof uploadId !== 'string') return next()
    const bucket = context.path.split('/')[1] ?? ''
    const folder = join(directory, bucket, '._S3rver_uploads', uploadId)
    context.type = 'application/xml'
    if (!existsSync(folder)) {
      context.status = 404
      context.body = '<?xml version="1.0"?><Error><Code>NoSuchUpload</Code><Message>gone</Message></Error>'
      return
    }
    const parts = readdirSync(folder)
      .filter((name) => /^\d+$/.test(name) && existsSync(join(folder, `${name}.md5`)))
      .sort((a, b) => Number(a) - Number(b))
      .map((name) => {
        const etag = readFileSync(join(folder, `${name}.md5`), 'utf8')
        const size = statSync(join(folder, name)).size
        return `<Part><PartNumber>${name}</PartNumber><ETag>&quot;${etag}&quot;</ETag><Size>${size}</Size></Part>`
      })
    context.body = `<?xml version="1.0"?><ListPartsResult><IsTruncated>false</IsTruncated>${parts.join('')}</ListPartsResult>`
  }
}
