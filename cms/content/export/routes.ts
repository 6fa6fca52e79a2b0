import { Readable } from 'node:stream'
import { z } from 'zod'
import { RestError } from '../../../core/errors.ts'
import { RestResponse } from '../../../core/rest/response.ts'
import type { Rest } from '../../../core/rest/types.ts'
import { exportFileName, openWxrExport, writeWxr } from './index.ts'
import type { ExportParts } from './types.ts'

const day = z.iso.date().optional()
const id = z.int().min(1).max(2_147_483_647).optional()

const input = z
  .strictObject({
    type: z.string().max(100).optional().describe('Limits the export to this post type. Default: all content.'),
    status: z.string().max(100).optional().describe('Limits the export to posts with this status.'),
    author: id.describe('Limits the export to this author ID.'),
    category: id.describe('Limits the export to this category ID.'),
    startDate: day.describe("Limits the export to posts published on or after this date, in the site's time zone."),
    endDate: day.describe('Limits the export to posts published on or before this date.'),
    comments: z.boolean().default(true).describe('Whether to include comments.'),
  })
  .refine(({ startDate, endDate }) => startDate === undefined || endDate === undefined || startDate <= endDate, {
    path: ['endDate'],
    message: 'must not be before startDate',
  })

/** `GET /host/v1/export`: WordPress's Tools → Export. */
export function registerExportRoute(rest: Rest, parts: ExportParts): void {
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/export',
    access: 'export',
    summary: 'Exports the content as a WordPress export file (WXR 1.2); X-WP-Total is the number of items.',
    input,
    responseTypes: ['text/xml'],
    async handler({ input: asked, stream }) {
      const { content } = parts
      const { type, status, ...filter } = asked
      if (type !== undefined && !content.postTypes().has(type)) {
        const params = { type: `type is not one of ${[...content.postTypes().keys()].join(', ')}.` }
        throw new RestError('rest_invalid_param', 'Invalid parameter(s): type', { status: 400, params })
      }
      const wxr = await openWxrExport(parts, {
        ...filter,
        types: type === undefined ? undefined : [type],
        statuses: status === undefined ? undefined : [status],
      })
      const headers = {
        'Content-Type': 'text/xml; charset=utf-8',
        'Content-Disposition': `attachment; filename="${exportFileName(content.siteSettings().title)}"`,
        'Cache-Control': 'no-store',
        'X-WP-Total': String(wxr.total),
      }
      // The response to HEAD contains only headers.
      if (stream?.method === 'HEAD') return new RestResponse(Readable.from([]), { headers })
      return new RestResponse(Readable.from(writeWxr(wxr), { objectMode: false }), { headers })
    },
  })
}
