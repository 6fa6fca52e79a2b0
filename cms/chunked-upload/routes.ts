import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { deprecate } from 'node:util'
import { z } from 'zod'
import { RestError } from '../../core/errors.ts'
import { RestResponse, success } from '../../core/rest/response.ts'
import { successSchema } from '../../core/rest/response-schemas.ts'
import type { RouteSet } from '../../core/rest/types.ts'
import type { Jobs } from '../jobs/types.ts'
import { CHUNK, LIFETIME, MOST_CHUNKS, missingChunks, type UploadSession, type UploadSessions } from './sessions.ts'
import { sha256File } from './sha256-file.ts'

/** Milliseconds of the lease under which an upload is assembled. */
const LEASE = 15_000
/** Maximum milliseconds that a request waits for the lease of another one. */
const PATIENCE = 60_000
const LOOK_AGAIN = 100

const sum = z.string().regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
const idSchema = z
  .string()
  .regex(/^[\w-]{1,64}$/, 'must be an ID')
  .describe('ID of the upload.')

const waitingShape = z.object({
  ...{ uploadId: z.string(), fileName: z.string(), size: z.number().nullable(), sha256: z.string().nullable() },
  ...{ chunkSize: z.int(), total: z.int().nullable(), received: z.int(), expires: z.string() },
  missing: z.array(z.tuple([z.int(), z.int()])).describe('First and last chunk of each missing range.'),
})

/** A file that came in chunks and was assembled, with the size and checksum that were announced. */
export interface UploadedFile {
  readonly id: string
  readonly path: string
  readonly fileName: string
  readonly size: number
  readonly sha256: string
  readonly userId: number | null
}

export interface ChunkedUpload<Result extends object> {
  readonly rest: Pick<RouteSet, 'registerRoute'>
  readonly jobs: Pick<Jobs, 'withLease'>
  readonly sessions: UploadSessions
  readonly namespace: string
  /** The routes are under it: `/backup/upload`. */
  readonly path: string
  readonly access: 'import' | 'manage_options'
  /** Noun for the files in route summaries: `an archive`. */
  readonly noun: string
  /** Default: 8 TiB. */
  readonly maxBytes?: number | undefined
  /** Whether the assembled file is kept until the upload expires; otherwise `accept` must move it. */
  readonly keepsFile: boolean
  /** Whether the stored file of a complete upload is in use and must not be deleted. */
  isUsed?(uploadId: string): Promise<boolean>
  /** Validates the file and takes ownership of it. @throws RestError with status 400 to reject it; the file is deleted then */
  accept(file: UploadedFile, signal: AbortSignal): Promise<void>
  /** Additional fields of the response for a complete upload. */
  describe(uploadId: string): Promise<Result>
}

/**
 * Registers `init`, `chunk`, `fetch` and `remove`: a file of any size in chunks, in any order, which can be paused and
 * resumed, even from another window.
 */
export function registerChunkedUpload<Result extends object>(upload: ChunkedUpload<Result>): void {
  const { rest, jobs, sessions, namespace, path, access, noun, maxBytes = CHUNK * MOST_CHUNKS } = upload

  rest.registerRoute(namespace, {
    method: 'POST',
    path: `${path}/init`,
    access,
    summary: `Starts an upload of ${noun}.`,
    input: z.object({
      fileName: z.string().trim().max(255).default(''),
      size: z
        .int()
        .min(1)
        .max(maxBytes)
        .optional()
        .describe('Size in bytes; without it, the chunk marked as last completes the upload.'),
      sha256: sum.optional().describe('SHA-256 of the complete file.'),
    }),
    response: successSchema(z.object({ uploadId: z.string(), chunkSize: z.int(), expires: z.string() })),
    async handler({ input, user }) {
      const { fileName, size, sha256 } = input
      const uploadId = randomBytes(16).toString('base64url')
      const expires = new Date(Date.now() + LIFETIME).toISOString()
      await sessions.put(uploadId, {
        ...{ fileName, size: size ?? null, sha256: sha256 ?? null, userId: user?.id ?? null, expires },
        ...{ total: size === undefined ? null : Math.ceil(size / CHUNK), isComplete: false },
      })
      return new RestResponse(success({ uploadId, chunkSize: CHUNK, expires }), { status: 201 })
    },
  })

  rest.registerRoute(namespace, {
    method: 'POST',
    path: `${path}/chunk`,
    access,
    // No limit: files are large, and locations have their own limits.
    timeLimit: Number.POSITIVE_INFINITY,
    summary: 'Uploads a chunk. The last missing chunk completes the upload.',
    upload: { folder: sessions.receiving, maxBytes: CHUNK, field: 'chunk' },
    input: z.object({
      uploadId: idSchema,
      index: z
        .int()
        .min(0)
        .max(Math.ceil(maxBytes / CHUNK) - 1)
        .describe('Zero-based index of the chunk.'),
      last: z.boolean().optional().describe('Whether it is the last chunk of the file.'),
      sha256: sum.optional().describe('SHA-256 of the chunk: a chunk damaged in transit is rejected immediately.'),
    }),
    response: successSchema(
      z.looseObject({
        uploadId: z.string(),
        received: z.int().nullable(),
        total: z.int().nullable(),
        complete: z.boolean(),
      }),
    ),
    async handler({ input, upload: received, signal }) {
      const { uploadId, index, last = false, sha256 } = input
      const session = await sessionOf(uploadId)
      if (!received || received.size === 0) throw invalid('chunk', 'The request has no content.')
      checkChunk(session, { index, last, size: received.size })
      if (sha256 !== undefined && sha256.toLowerCase() !== (await sha256File(received.path, signal))) {
        throw invalid('sha256', `Chunk ${index} was damaged in transit; send it again.`)
      }
      // The lease serializes final chunks, updates of the session, and deletion.
      const result = await held(uploadId, signal, async () => {
        const current = await sessions.get(uploadId)
        if (!current) throw uploadNotFound()
        if (current.isComplete) return complete(uploadId, current.total)
        // The number of chunks may have become known while waiting for the lease.
        checkChunk(current, { index, last, size: received.size })
        await sessions.putChunk(uploadId, index, received.path)
        const total = last && current.total === null ? index + 1 : current.total
        if (total !== null && total !== current.total) {
          for (const stray of (await sessions.chunks(uploadId)).keys())
            if (stray >= total) await sessions.removeChunk(uploadId, stray)
          await sessions.put(uploadId, { ...current, total })
        }
        const chunks = await sessions.chunks(uploadId)
        if (total === null || chunks.size < total) return { uploadId, received: chunks.size, total, complete: false }
        checkSizes(chunks, total)
        await finish(uploadId, { ...current, total }, total, signal)
        return complete(uploadId, total)
      })
      return success(result)
    },
  })

  rest.registerRoute(namespace, {
    method: 'GET',
    path: `${path}/fetch`,
    access,
    summary: 'Lists incomplete uploads with their missing chunks.',
    response: successSchema(z.object({ items: z.array(waitingShape) })),
    async handler() {
      const waiting = (await sessions.list()).filter(({ isComplete }) => !isComplete)
      const items = waiting.map(async ({ id, fileName, size, sha256, total, expires }) => {
        const chunks = await sessions.chunks(id)
        return {
          ...{ uploadId: id, fileName, size, sha256, chunkSize: CHUNK, total, received: chunks.size, expires },
          /** If the total is unknown, all chunks before the last received one. */
          missing: missingChunks(chunks, total ?? Math.max(0, ...[...chunks.keys()].map((index) => index + 1))),
        }
      })
      const uploads = await Promise.all(items)
      return success({ items: uploads.sort((a, b) => (a.expires < b.expires ? 1 : -1)) })
    },
  })

  rest.registerRoute(namespace, {
    method: 'DELETE',
    path: `${path}/remove`,
    access,
    summary: 'Cancels an upload and deletes its chunks, or deletes a complete file that is not in use.',
    input: z.object({ uploadId: idSchema }),
    response: successSchema(z.object({ uploadId: z.string() })),
    async handler({ input: { uploadId }, signal }) {
      await requireRemovable(uploadId)
      await held(uploadId, signal, async () => {
        // It may have been completed while this waited.
        await requireRemovable(uploadId)
        await sessions.remove(uploadId)
      })
      return success({ uploadId })
    },
  })

  async function finish(id: string, session: UploadSession, total: number, signal: AbortSignal): Promise<void> {
    try {
      const file = await sessions.assemble(id, total, signal)
      const { size } = await stat(file)
      if (session.size !== null && session.size !== size)
        throw corrupt('The file does not have the size given at the start of the upload.')
      const sha256 = await sha256File(file, signal)
      if (session.sha256 !== null && session.sha256.toLowerCase() !== sha256) {
        throw corrupt('The file does not have the SHA-256 given at the start of the upload.')
      }
      const { fileName, userId } = session
      await upload.accept({ id, path: file, fileName, size, sha256, userId }, signal)
      await sessions.put(id, { ...session, sha256, total, isComplete: true })
      await sessions.clear(id, { keepFile: upload.keepsFile })
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof RestError && error.status === 400) await sessions.remove(id)
      throw error
    }
  }

  async function complete(uploadId: string, total: number | null) {
    return { uploadId, received: total, total, complete: true, ...(await upload.describe(uploadId)) }
  }

  async function sessionOf(uploadId: string): Promise<UploadSession> {
    const session = await sessions.get(uploadId)
    if (!session) throw uploadNotFound()
    if (!session.isComplete) return session
    throw new RestError('upload_complete', 'The upload is already complete.', { status: 409, uploadId })
  }

  /** A completed upload belongs to its consumer; its stored file may be deleted. */
  async function requireRemovable(uploadId: string): Promise<void> {
    const session = await sessions.get(uploadId)
    if (!session?.isComplete || !upload.keepsFile) await sessionOf(uploadId)
    else if (await upload.isUsed?.(uploadId)) throw uploadInUse(uploadId)
  }

  /** @throws RestError 409 `upload_in_use` where another request works on the upload for longer than a minute */
  async function held<Result>(uploadId: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    for (const began = Date.now(); Date.now() - began < PATIENCE; ) {
      const done = await jobs.withLease(`upload:${uploadId}`, LEASE, async () => ({ result: await work() }))
      if (done) return done.result
      await wait(LOOK_AGAIN, undefined, { signal })
    }
    throw uploadInUse(uploadId)
  }
}

/** Rejects a chunk that does not match the announced upload. */
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

/** If the total was unknown, a short chunk in the middle is detected only at the end. */
function checkSizes(chunks: ReadonlyMap<number, number>, total: number): void {
  for (const [index, size] of chunks) {
    if (index < total - 1 && size !== CHUNK) {
      throw invalid('chunk', `Chunk ${index} has ${size} bytes instead of ${CHUNK}; send it again.`)
    }
  }
}

/** @param code - Of the check that failed. */
export function corrupt(reason: string, code?: unknown): RestError {
  const message = `The uploaded file is not valid: ${reason}`
  return new RestError('upload_corrupt', message, { status: 400, ...(code !== undefined && { reason: code }) })
}

/** @deprecated Use `corruptUpload`. */
export const uploadCorrupt = deprecate(corrupt, 'uploadCorrupt was renamed to corruptUpload.', 'PENTAD_UPLOAD_CORRUPT')

function invalid(name: string, message: string): RestError {
  return new RestError('rest_invalid_param', `Invalid parameter(s): ${name}`, {
    status: 400,
    params: { [name]: message },
  })
}

function uploadInUse(uploadId: string): RestError {
  return new RestError('upload_in_use', 'The upload is in use. Try again later.', { status: 409, uploadId })
}

function uploadNotFound(): RestError {
  return new RestError('upload_not_found', 'The upload does not exist or has expired. Uploads expire after 24 hours.', {
    status: 404,
  })
}
