/** Google's resumable uploads (guide "Upload file data" of the Drive API, "Perform a resumable upload"). */
import { z } from 'zod'
import type { UploadedFile, UploadProgress } from '../../types.ts'
import { readPart } from '../archive-file.ts'
import { LocationFailure } from '../failure.ts'
import type { DriveRequest } from './client.ts'

/** A multiple of 256 KiB, as the protocol wants it. */
const CHUNK_BYTES = 8 * 1024 * 1024
/** For one chunk; a slow line needs about a minute. */
const CHUNK_MS = 10 * 60_000

/** What survives a crash. Whoever knows the session's address can write to it: it is a secret. */
const stateSchema = z.object({ session: z.url(), sha256: z.string() })

const uploadedSchema = z.object({ id: z.string(), size: z.coerce.number(), sha256Checksum: z.string().optional() })
type UploadedArchive = z.output<typeof uploadedSchema>

/** Where an upload stands: bytes that have arrived, or the file that came of it. */
type Standing = { readonly next: number } | { readonly file: UploadedArchive }

/**
 * Sends what is missing. When the session is gone (a week old, say), the state is given up, so that the next try begins
 * anew.
 *
 * @returns the file, which exists only once it is whole.
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
  let standing = isOurs ? await ask(request, session, file, progress) : { next: 0 }
  while ('next' in standing) {
    const start = standing.next
    progress.sent(start)
    const chunk = await readPart(file.path, start, Math.min(CHUNK_BYTES, file.size - start))
    standing = await put(request, session, file, progress, chunk, start)
    // A server may take less than a chunk; one that takes nothing is no progress.
    if ('file' in standing || standing.next > start) advanced()
    else throw new LocationFailure({ reason: 'Google does not take what is sent.', temporary: true })
  }
  return standing.file
}

/** Ends a session that will not be used any more. */
export async function cancelSession(request: DriveRequest, state: unknown, signal: AbortSignal): Promise<void> {
  const { data } = stateSchema.safeParse(state)
  // 499 is Google's answer to a cancelled session.
  if (data) await request({ url: data.session, method: 'DELETE', signal, accept: [204, 404, 410, 499] })
}

async function begin(
  request: DriveRequest,
  file: UploadedFile,
  folder: string,
  progress: UploadProgress,
): Promise<string> {
  const answer = await request({
    url: '/upload/drive/v3/files?uploadType=resumable&fields=id,size,sha256Checksum',
    method: 'POST',
    json: { name: file.name, parents: [folder] },
    headers: { 'X-Upload-Content-Type': 'application/octet-stream', 'X-Upload-Content-Length': String(file.size) },
    signal: progress.signal,
    accept: [200],
  })
  const session = answer.headers.get('location')
  if (!session) throw new LocationFailure({ reason: 'Google does not begin an upload.', temporary: true })
  await progress.keep({ session, sha256: file.sha256 })
  return session
}

/** "Resume an interrupted upload": an empty request with an unknown range is answered with what is there. */
function ask(request: DriveRequest, session: string, file: UploadedFile, progress: UploadProgress): Promise<Standing> {
  return put(request, session, file, progress, undefined, 0)
}

async function put(
  request: DriveRequest,
  session: string,
  file: UploadedFile,
  { signal, keep }: UploadProgress,
  chunk: Buffer | undefined,
  start: number,
): Promise<Standing> {
  const range = chunk?.length ? `${start}-${start + chunk.length - 1}` : '*'
  const answer = await request({
    url: session,
    method: 'PUT',
    headers: { 'Content-Range': `bytes ${range}/${file.size}` },
    body: chunk,
    signal: AbortSignal.any([signal, AbortSignal.timeout(CHUNK_MS)]),
    accept: [200, 201, 308, 404, 410],
  })
  if (answer.status === 404 || answer.status === 410) {
    await keep(null)
    throw new LocationFailure({ reason: 'The upload has expired at Google.', temporary: true })
  }
  if (answer.status !== 308) return { file: uploadedSchema.parse(answer.data) }
  // No range at all: nothing has arrived yet.
  const last = /^bytes=0-(\d+)$/.exec(answer.headers.get('range') ?? '')?.[1]
  const next = last === undefined ? 0 : Number(last) + 1
  if (next <= file.size) return { next }
  await keep(null)
  throw new LocationFailure({ reason: 'The upload at Google is not of this archive.', temporary: true })
}
