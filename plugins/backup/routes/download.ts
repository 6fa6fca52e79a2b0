import { Readable } from 'node:stream'
import { RestError, RestResponse } from 'pentad'
import { z } from 'zod'
import type { BackupParts } from '../parts.ts'
import { backupIdSchema } from '../records.ts'
import { readRange } from './range.ts'

/** Downloads an archive, with range requests for resumable downloads. */
export function registerDownloadRoute({ host, records, locations }: BackupParts): void {
  host.rest.registerRoute('backup/v1', {
    method: 'GET',
    path: '/backup/download',
    access: 'manage_options',
    summary: 'Downloads the archive of a backup. Supports range requests.',
    input: z.object({ backupId: backupIdSchema }),
    responseTypes: ['application/gzip', 'application/zstd'],
    async handler({ input, headers, signal, stream }) {
      const record = await records.get(input.backupId)
      const { size, sha256, fileName } = record
      const etag = `"${sha256}"`
      const common = {
        'Accept-Ranges': 'bytes',
        ETag: etag,
        'Content-Type': fileName.endsWith('.zst') ? 'application/zstd' : 'application/gzip',
        'Content-Disposition': `attachment; filename="${fileName.replace(/[^\x20-\x7e]|["\\]/g, '_')}"; filename*=UTF-8''${encoded(fileName)}`,
      }
      if (matches(headers['if-none-match'], etag))
        return new RestResponse(Buffer.alloc(0), { status: 304, headers: common })
      const condition = headers['if-range']
      const isSame = condition === undefined || condition === etag
      // RFC 9110, 14.2: ranges only apply to GET.
      const isHead = stream?.method === 'HEAD'
      const range = isSame && !isHead && headers.range !== undefined ? readRange(headers.range, size) : undefined
      if (range === 'outside') {
        throw new RestError(
          'rest_range_not_satisfiable',
          'The requested range is outside the archive.',
          { status: 416 },
          { 'Content-Range': `bytes */${size}`, 'Accept-Ranges': 'bytes' },
        )
      }
      const response = {
        status: range ? 206 : 200,
        headers: {
          ...common,
          'Content-Length': String(range ? range.end - range.start + 1 : size),
          ...(range && { 'Content-Range': `bytes ${range.start}-${range.end}/${size}` }),
        },
      }
      // A response to HEAD has no body, so nothing is fetched.
      if (isHead) return new RestResponse(Readable.from([]), response)
      const location = await locations.open(record.location)
      try {
        const bytes = Readable.from(await location.download(fileName, range, signal), { objectMode: false })
        // Also if the client disconnects before the first byte.
        bytes.once('close', () => void location.close().catch(() => {}))
        return new RestResponse(bytes, response)
      } catch (error) {
        await location.close()
        throw error
      }
    },
  })
}

/** RFC 8187, 3.2.1. */
function encoded(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** RFC 9110, 13.1.2. */
function matches(condition: string | undefined, etag: string): boolean {
  return condition?.split(',').some((one) => [etag, `W/${etag}`, '*'].includes(one.trim())) ?? false
}
