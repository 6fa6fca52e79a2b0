/** Google's resumable uploads (guide "Upload file data" of the Drive API, "Perform a resumable upload"). */
import { z } from 'zod'
import type { UploadedFile, UploadProgress } from '../../types.ts'
import { readPart } from '../archive-file.ts'
import { LocationFailure } from '../failure.ts'
import type { DriveRequest } from './client.ts'

/** Must be a multiple of 256 KiB. */
const CHUNK_BYTES = 8 * 1024 * 1024
/** Time limit per chunk in ms; a slow connection needs about a minute. */
const CHUNK_MS = 10 * 60_000

/** State that survives a crash. The session URL grants write access, so it is a secret. */
const stateSchema = z.object({ session: z.url(), sha256: z.string() })

const uploadedSchema = z.object({ id: z.string(), size: z.coerce.number(), sha256Checksum: z.string().optional() })
type UploadedArchive = z.output<typeof uploadedSchema>

/** Status of an upload: the next byte to send, or the finished file. */
type UploadStatus = { readonly next: number } | { readonly file: UploadedArchive }

/**
 * Sends the missing chunks. If the session has expired (after a week), the state is discarded so that the next attempt
 * starts over.
 *
 * @returns the file, which exists only once it is complete.
 */
export async function uploadChunks(
  request: DriveRequest,
  file: UploadedFile,
  folderId: () => Promise<string>,
  progress: UploadProgress,
  advanced: () => void,
): Promise<UploadedArchive> {
  const { data: state } = stateSchema.safeParse(progress.state)
  const isOurs = state?.sha256 === file.sha256
  const session = isOurs ? state.session : await begin(request, file, await folderId(), progress)
  let status = isOurs ? await ask(request, session, file, progress) : { next: 0 }
  while ('next' in status) {
    const start = status.next
    progress.sent(start)
    const chunk = await readPart(file.path, start, Math.min(CHUNK_BYTES, file.size - start))
    status = await put(request, session, file, progress, chunk, start)
    // The server may accept less than a chunk, but must make progress.
    if ('file' in status || status.next > start) advanced()
    else throw new LocationFailure({ reason: 'Google did not accept the data.', temporary: true })
  }
  return status.file
}

/** Cancels a session. */
export async function cancelSession(request: DriveRequest, state: unknown, signal: AbortSignal): Promise<void> {
  const { data } = stateSchema.safeParse(state)
  // Google responds with 499 to a canceled session.
  if (data) await request({ url: data.session, method: 'DELETE', signal, accept: [204, 404, 410, 499] })
}

async function begin(
  request: DriveRequest,
  file: UploadedFile,
  folder: string,
  progress: UploadProgress,
): Promise<string> {
  const response = await request({
    url: '/upload/drive/v3/files?uploadType=resumable&fields=id,size,sha256Checksum',
    method: 'POST',
    json: { name: file.name, parents: [folder] },
    headers: { 'X-Upload-Content-Type': 'application/octet-stream', 'X-Upload-Content-Length': String(file.size) },
    signal: progress.signal,
    accept: [200],
  })
  const session = response.headers.get('location')
  if (!session) throw new LocationFailure({ reason: 'Google did not start the upload.', temporary: true })
  await progress.keep({ session, sha256: file.sha256 })
  return session
}

/** "Resume an interrupted upload": an empty request with an unknown range returns the status. */
function ask(
  request: DriveRequest,
  session: string,
  file: UploadedFile,
  progress: UploadProgress,
): Promise<UploadStatus> {
  return put(request, session, file, progress, undefined, 0)
}

async function put(
  request: DriveRequest,
  session: string,
  file: UploadedFile,
  { signal, keep }: UploadProgress,
  chunk: Buffer | undefined,
  start: number,
): Promise<UploadStatus> {
  const range = chunk?.length ? `${start}-${start + chunk.length - 1}` : '*'
  const response = await request({
    url: session,
    method: 'PUT',
    headers: { 'Content-Range': `bytes ${range}/${file.size}` },
    body: chunk,
    signal: AbortSignal.any([signal, AbortSignal.timeout(CHUNK_MS)]),
    accept: [200, 201, 308, 404, 410],
  })
  if (response.status === 404 || response.status === 410) {
    await keep(null)
    throw new LocationFailure({ reason: 'The upload session has expired.', temporary: true })
  }
  if (response.status !== 308) return { file: uploadedSchema.parse(response.data) }
  // Without a range, nothing was received yet.
  const last = /^bytes=0-(\d+)$/.exec(response.headers.get('range') ?? '')?.[1]
  const next = last === undefined ? 0 : Number(last) + 1
  if (next <= file.size) return { next }
  await keep(null)
  throw new LocationFailure({ reason: 'The upload session belongs to another archive.', temporary: true })
}
