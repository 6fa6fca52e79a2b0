import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { RestError, RestResponse, success } from 'pentad'
import { z } from 'zod'
import type { BackupParts } from '../parts.ts'
import { idSchema } from '../records.ts'
import { sumOf } from '../sum-of.ts'
import { completeUpload } from '../uploads/complete.ts'
import {
  CHUNK,
  LIFETIME,
  MOST_CHUNKS,
  missingChunks,
  type UploadSession,
  type UploadSessions,
} from '../uploads/sessions.ts'

const access = 'manage_options'
/** Milliseconds of the lease under which an upload is put together. */
const LEASE = 15_000

const sum = z.string().regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')

/** An archive of this or of another site, sent in chunks in any order. */
export function registerUploadRoutes(parts: BackupParts, sessions: UploadSessions): void {
  const { host, records } = parts

  host.rest.registerRoute('backup/v1', {
    method: 'POST',
    path: '/backup/upload/init',
    access,
    summary: 'Begins an upload.',
    input: z.object({
      fileName: z.string().trim().max(255).default(''),
      size: z
        .int()
        .min(1)
        .max(CHUNK * MOST_CHUNKS)
        .optional()
        .describe('Bytes; without it the chunk marked as last ends the upload.'),
      sha256: sum.optional().describe('Of the whole archive.'),
    }),
    async handler({ input, user }) {
      const { fileName, size, sha256 } = input
      const uploadId = randomBytes(16).toString('base64url')
      const expires = new Date(Date.now() + LIFETIME).toISOString()
      await sessions.put(uploadId, {
        ...{ fileName, size: size ?? null, sha256: sha256 ?? null, userId: user?.id ?? null, expires },
        ...{ total: size === undefined ? null : Math.ceil(size / CHUNK), backupId: null },
      })
      return new RestResponse(success({ uploadId, chunkSize: CHUNK, expires }), { status: 201 })
    },
  })

  host.rest.registerRoute('backup/v1', {
    method: 'POST',
    path: '/backup/upload/chunk',
    access,
    // As long as it takes; archives are large, and locations have limits of their own.
    timeLimit: Number.POSITIVE_INFINITY,
    summary: 'Takes a chunk; the last one that was missing makes the backup.',
    upload: { folder: sessions.receiving, maxBytes: CHUNK, field: 'chunk' },
    input: z.object({
      uploadId: idSchema,
      index: z
        .int()
        .min(0)
        .max(MOST_CHUNKS - 1)
        .describe('Number of the chunk, from 0.'),
      last: z.boolean().optional().describe('Whether it is the one with the highest number.'),
      sha256: sum.optional().describe('Of the chunk: one that was damaged on its way is refused at once.'),
    }),
    async handler({ input, upload, signal }) {
      const { uploadId, index, last = false, sha256 } = input
      const session = await sessionOf(uploadId)
      if (!upload || upload.size === 0) throw invalid('chunk', 'The request holds no bytes.')
      checkChunk(session, { index, last, size: upload.size })
      if (sha256 !== undefined && sha256.toLowerCase() !== (await sumOf(upload.path, signal))) {
        throw invalid('sha256', `Chunk ${index} was damaged on its way; send it again.`)
      }
      // The lease keeps two last chunks apart, what one wrote about the session from being overwritten, and a chunk from
      // what is being removed.
      const answer = await held(uploadId, async () => {
        const current = await sessions.get(uploadId)
        if (!current) throw uploadNotFound()
        if (current.backupId !== null) return complete(current)
        await sessions.putChunk(uploadId, index, upload.path)
        const total = last && current.total === null ? index + 1 : current.total
        if (total !== current.total) await sessions.put(uploadId, { ...current, total })
        const chunks = await sessions.chunks(uploadId)
        const received = chunks.size
        if (total === null || received < total) return { uploadId, received, total, complete: false }
        checkSizes(chunks, total)
        await completeUpload(parts, sessions, { id: uploadId, session: { ...current, total }, total }, signal)
        return complete({ ...current, total, backupId: uploadId })
      })
      return success(answer)
    },
  })

  host.rest.registerRoute('backup/v1', {
    method: 'GET',
    path: '/backup/upload/fetch',
    access,
    summary: 'Uploads that are not finished, with the chunks that are missing.',
    async handler() {
      const items = (await sessions.list()).map(async ({ id, fileName, size, sha256, total, expires }) => {
        const chunks = await sessions.chunks(id)
        return {
          ...{ uploadId: id, fileName, size, sha256, chunkSize: CHUNK, total, received: chunks.size, expires },
          /** Where nobody has said how many there will be: those before the last that came. */
          missing: missingChunks(chunks, total ?? Math.max(0, ...[...chunks.keys()].map((index) => index + 1))),
        }
      })
      const uploads = await Promise.all(items)
      return success({ items: uploads.sort((a, b) => (a.expires < b.expires ? 1 : -1)) })
    },
  })

  host.rest.registerRoute('backup/v1', {
    method: 'DELETE',
    path: '/backup/upload/remove',
    access,
    summary: 'Ends an upload that is not finished, and removes what has come of it.',
    input: z.object({ uploadId: idSchema }),
    async handler({ input: { uploadId } }) {
      await sessionOf(uploadId)
      await held(uploadId, async () => {
        // It may have become a backup while this waited.
        await sessionOf(uploadId)
        await sessions.remove(uploadId)
      })
      return success({ uploadId })
    },
  })

  async function complete({ backupId, total }: UploadSession) {
    const backup = await records.get(backupId ?? '')
    return { uploadId: backup.id, received: total, total, complete: true, backup }
  }

  async function sessionOf(uploadId: string): Promise<UploadSession> {
    const session = await sessions.get(uploadId)
    if (!session) throw uploadNotFound()
    if (session.backupId === null) return session
    throw new RestError('upload_complete', 'The upload is complete.', { status: 409, backupId: session.backupId })
  }

  async function held<Result>(uploadId: string, work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      const done = await host.jobs.withLease(`backup:upload:${uploadId}`, LEASE, async () => ({ result: await work() }))
      if (done) return done.result
      await wait(100)
    }
  }
}

/** Refuses what cannot be a part of the upload that was announced. */
function checkChunk(
  { size, total }: UploadSession,
  chunk: { readonly index: number; readonly last: boolean; readonly size: number },
): void {
  if (total !== null && chunk.index >= total) throw invalid('index', `There are ${total} chunks, the first is 0.`)
  if (total !== null && chunk.last && chunk.index !== total - 1)
    throw invalid('last', `The last chunk is ${total - 1}.`)
  const isLast = chunk.last || (total !== null && chunk.index === total - 1)
  if (!isLast && total !== null && chunk.size !== CHUNK) {
    throw invalid('chunk', `A chunk has ${CHUNK} bytes; only the last may have fewer.`)
  }
  const rest = size === null ? undefined : size - (Math.ceil(size / CHUNK) - 1) * CHUNK
  if (isLast && rest !== undefined && chunk.size !== rest) throw invalid('chunk', `The last chunk has ${rest} bytes.`)
}

/** Where nobody knew how many there would be, a short chunk in the middle shows only at the end. */
function checkSizes(chunks: ReadonlyMap<number, number>, total: number): void {
  for (const [index, size] of chunks) {
    if (index < total - 1 && size !== CHUNK) {
      throw invalid('chunk', `Chunk ${index} has ${size} bytes instead of ${CHUNK}; send it again.`)
    }
  }
  if ([...chunks.keys()].some((index) => index >= total)) throw invalid('index', `There are ${total} chunks.`)
}

function invalid(name: string, message: string): RestError {
  return new RestError('rest_invalid_param', `Invalid parameter(s): ${name}`, {
    status: 400,
    params: { [name]: message },
  })
}

function uploadNotFound(): RestError {
  return new RestError('upload_not_found', 'There is no such upload, or its 24 hours are over.', { status: 404 })
}
