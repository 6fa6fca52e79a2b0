import { open } from 'node:fs/promises'
import { z } from 'zod'
import { RestError } from '../../../core/errors.ts'
import { RestResponse, success } from '../../../core/rest/response.ts'
import type { Rest } from '../../../core/rest/types.ts'
import { corrupt, registerChunkedUpload } from '../../chunked-upload/routes.ts'
import type { Jobs } from '../../jobs/types.ts'
import { archiveKind } from './archive-kind.ts'
import type { ImportJob } from './import-job.ts'
import { uploadsOf } from './import-record.ts'
import { beginsAsXml } from './read-elements.ts'
import { currentResponse, stateResponse } from './response-schemas.ts'
import { MOST_BLANK } from './xml-text.ts'

/** Maximum size of an uploaded file, in bytes. */
const LARGEST = 64 * 1024 ** 3
const MOST_FILES = 100
/** Number of bytes that identify an export or archive; a whitespace character has at most three in UTF-8. */
const START = 512 + 3 * MOST_BLANK

const uploadId = z.string().regex(/^[\w-]{1,64}$/, 'must be an ID')

const input = z.object({
  files: z
    .array(uploadId)
    .min(1)
    .max(MOST_FILES)
    .describe('Completed uploads: a WordPress export (XML, gzip, or ZIP), or all files of a split export.'),
  uploads: uploadId.optional().describe('A completed upload: an archive (zip, tar, tar.gz) of wp-content/uploads.'),
  download: z
    .boolean()
    .default(false)
    .describe('Whether to download media from the old site if they are not in the archive.'),
  dryRun: z.boolean().default(false).describe('Whether to report what an import would do without changing anything.'),
})

/** `/host/v1/import`: WordPress's Tools → Import, in the background. */
export function registerImportRoutes(rest: Rest, { imports, jobs }: { imports: ImportJob; jobs: Jobs }): void {
  registerChunkedUpload({
    ...{ rest, jobs, sessions: imports.sessions, namespace: 'host/v1', path: '/import/upload', access: 'import' },
    ...{ noun: 'a file to import', maxBytes: LARGEST, keepsFile: true },
    accept: ({ path }) => requireKnownFormat(path),
    describe: async () => ({}),
    async isUsed(id) {
      const { state, order } = (await imports.current()) ?? {}
      return state === 'running' && order !== undefined && uploadsOf(order).some(({ uploadId }) => uploadId === id)
    },
  })

  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/import',
    access: 'import',
    summary: 'Starts an import of uploaded files. Only one import can run at a time.',
    input,
    response: stateResponse,
    async handler({ input: { files, uploads, ...how } }) {
      const named = async (id: string) => ({ uploadId: id, name: (await imports.sessions.get(id))?.fileName ?? '' })
      const state = await imports.start({
        ...how,
        files: await Promise.all(files.map(named)),
        uploads: uploads === undefined ? null : await named(uploads),
      })
      return new RestResponse(success(state), { status: 202 })
    },
  })

  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/import',
    access: 'import',
    summary: 'Returns the import in progress, or the report of the last import; null if there is none.',
    response: currentResponse,
    handler: async () => success((await imports.current()) ?? null),
  })

  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/import/cancel',
    access: 'import',
    summary: 'Cancels the import in progress; content imported so far is kept.',
    response: stateResponse,
    async handler() {
      const state = await imports.cancel()
      if (state) return success(state)
      throw new RestError('import_not_found', 'No import is in progress.', { status: 404 })
    },
  })
}

/** @throws RestError 400 `upload_corrupt` for a file that is neither XML nor an archive */
async function requireKnownFormat(path: string): Promise<void> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(START), 0, START, 0)
  const start = buffer.subarray(0, bytesRead)
  if (archiveKind(start) === undefined && !beginsAsXml(start))
    throw corrupt('Not a WordPress export (WXR) or an archive of media files.')
}
