/** Multipart uploads (S3 API reference, "Multipart upload overview") that resume after a crash. */
import { createHash } from 'node:crypto'
import type { S3Client } from '@aws-sdk/client-s3'
import { z } from 'zod'
import type { UploadedFile, UploadProgress } from '../../types.ts'
import { readPart } from '../archive-file.ts'
import { LocationFailure } from '../failure.ts'
import { followProgress } from '../follow-progress.ts'
import { type RetryOptions, withRetries } from '../retry.ts'
import { isS3Error } from './failure.ts'

const MEBIBYTE = 1024 * 1024
/** S3 takes at most 10,000 parts; all but the last must have 5 MiB or more. */
const MAX_PARTS = 10_000
const MIN_PART_BYTES = 8 * MEBIBYTE
/** Total memory for parts in flight, in bytes. At least one part is always in flight. */
const BYTES_IN_FLIGHT = 16 * MEBIBYTE

/** State that survives a crash. `parts`: the ETag of each uploaded part, by number. */
const stateSchema = z.object({
  uploadId: z.string(),
  sha256: z.string(),
  partBytes: z.int().positive(),
  parts: z.record(z.string().regex(/^\d+$/), z.string()),
})

type UploadState = z.output<typeof stateSchema>

export interface Bucket {
  readonly client: S3Client
  readonly sdk: typeof import('@aws-sdk/client-s3')
  readonly name: string
  readonly retry: RetryOptions
}

/** Sends the missing parts and completes the upload; resolves once the object is complete. */
export async function uploadObject(
  bucket: Bucket,
  key: string,
  file: UploadedFile,
  progress: UploadProgress,
): Promise<void> {
  const following = followProgress(progress)
  const { signal } = progress
  await withRetries(bucket.retry, signal, async (advanced) => {
    const saved = following.state
    // The response to an earlier completion may have been lost.
    if (saved !== undefined && (await isComplete(bucket, key, file, signal))) return
    const state = (await resume(bucket, key, file, saved, signal)) ?? (await begin(bucket, key, file, following))
    await sendParts(bucket, key, file, state, following, advanced)
    await complete(bucket, key, state, signal)
    if (!(await isComplete(bucket, key, file, signal))) {
      throw new LocationFailure({
        reason: 'The uploaded archive does not match the one that was sent.',
        temporary: false,
      })
    }
  })
  progress.sent(file.size)
}

/** Removes the parts of an abandoned upload, which would otherwise be billed. */
export async function discardUpload(bucket: Bucket, key: string, state: unknown, signal: AbortSignal): Promise<void> {
  const { data } = stateSchema.safeParse(state)
  await withRetries(bucket.retry, signal, async () => {
    if (data) await abort(bucket, key, data.uploadId, signal)
    await abortStale(bucket, key, signal)
  })
}

/** The saved upload with the parts that the bucket still has; `undefined` if there is nothing to resume. */
async function resume(
  { client, sdk, name }: Bucket,
  key: string,
  file: UploadedFile,
  saved: unknown,
  signal: AbortSignal,
): Promise<UploadState | undefined> {
  const { data: state } = stateSchema.safeParse(saved)
  if (!state || state.sha256 !== file.sha256) return undefined
  const object = { Bucket: name, Key: key, UploadId: state.uploadId }
  const there = new Map<string, string | undefined>()
  try {
    let marker: string | undefined
    do {
      const page = await client.send(
        new sdk.ListPartsCommand({ ...object, ...(marker !== undefined && { PartNumberMarker: marker }) }),
        { abortSignal: signal },
      )
      for (const part of page.Parts ?? []) there.set(String(part.PartNumber), part.ETag)
      marker = page.IsTruncated ? page.NextPartNumberMarker : undefined
    } while (marker !== undefined)
  } catch (error) {
    if (isS3Error(error, 'NoSuchUpload')) return undefined
    // Some services cannot list parts; completing the upload fails if one is missing.
    if (isS3Error(error, 'NotImplemented')) return state
    throw error
  }
  return {
    ...state,
    parts: Object.fromEntries(Object.entries(state.parts).filter(([part, etag]) => there.get(part) === etag)),
  }
}

async function begin(bucket: Bucket, key: string, file: UploadedFile, progress: UploadProgress): Promise<UploadState> {
  const { client, sdk, name } = bucket
  await abortStale(bucket, key, progress.signal)
  const { UploadId: uploadId } = await client.send(
    new sdk.CreateMultipartUploadCommand({ Bucket: name, Key: key, Metadata: { sha256: file.sha256 } }),
    { abortSignal: progress.signal },
  )
  if (!uploadId) throw new LocationFailure({ reason: 'The service did not start the upload.', temporary: true })
  const state = { uploadId, sha256: file.sha256, partBytes: partBytesFor(file.size), parts: {} }
  await progress.keep(state)
  return state
}

function partBytesFor(size: number): number {
  return Math.max(MIN_PART_BYTES, Math.ceil(size / MAX_PARTS / MEBIBYTE) * MEBIBYTE)
}

/** Sends several parts concurrently; the first failure aborts the others. */
async function sendParts(
  { client, sdk, name }: Bucket,
  key: string,
  file: UploadedFile,
  state: UploadState,
  progress: UploadProgress,
  advanced: () => void,
): Promise<void> {
  const missing = partNumbers(file.size, state.partBytes).filter((part) => !state.parts[part])
  const failed = new AbortController()
  const signal = AbortSignal.any([progress.signal, failed.signal])
  progress.sent(bytesThere(file.size, state))

  async function sendNext(): Promise<void> {
    for (let part = missing.shift(); part !== undefined; part = missing.shift()) {
      const start = (part - 1) * state.partBytes
      const body = await readPart(file.path, start, Math.min(state.partBytes, file.size - start))
      const { ETag: etag } = await client.send(
        new sdk.UploadPartCommand({
          Bucket: name,
          Key: key,
          UploadId: state.uploadId,
          PartNumber: part,
          Body: body,
          // The only checksum that every S3-compatible service verifies.
          ContentMD5: createHash('md5').update(body).digest('base64'),
        }),
        { abortSignal: signal },
      )
      if (!etag)
        throw new LocationFailure({ reason: 'The service did not confirm the uploaded part.', temporary: true })
      state.parts[part] = etag
      await progress.keep(state)
      progress.sent(bytesThere(file.size, state))
      advanced()
    }
  }

  const lanes = Math.max(1, Math.floor(BYTES_IN_FLIGHT / state.partBytes))
  const ends = await Promise.allSettled(
    Array.from({ length: lanes }, () =>
      sendNext().catch((error) => {
        failed.abort(error)
        throw error
      }),
    ),
  )
  if (ends.some(({ status }) => status === 'rejected')) throw failed.signal.reason
}

async function complete(
  { client, sdk, name }: Bucket,
  key: string,
  { uploadId, parts }: UploadState,
  signal: AbortSignal,
): Promise<void> {
  const inOrder = Object.entries(parts).map(([part, etag]) => ({ PartNumber: Number(part), ETag: etag }))
  inOrder.sort((a, b) => a.PartNumber - b.PartNumber)
  await client.send(
    new sdk.CompleteMultipartUploadCommand({
      Bucket: name,
      Key: key,
      UploadId: uploadId,
      MultipartUpload: { Parts: inOrder },
    }),
    { abortSignal: signal },
  )
}

async function isComplete(
  { client, sdk, name }: Bucket,
  key: string,
  file: UploadedFile,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const found = await client.send(new sdk.HeadObjectCommand({ Bucket: name, Key: key }), { abortSignal: signal })
    return found.ContentLength === file.size && (found.Metadata?.sha256 ?? file.sha256) === file.sha256
  } catch (error) {
    if (isS3Error(error, 'NotFound', 'NoSuchKey')) return false
    throw error
  }
}

/**
 * Aborts uploads under this key whose id was lost in a crash. The key contains a random part, so they belong to this
 * upload.
 */
async function abortStale(bucket: Bucket, key: string, signal: AbortSignal): Promise<void> {
  const { client, sdk, name } = bucket
  try {
    const { Uploads: uploads = [] } = await client.send(
      new sdk.ListMultipartUploadsCommand({ Bucket: name, Prefix: key }),
      { abortSignal: signal },
    )
    for (const upload of uploads) {
      if (upload.Key === key && upload.UploadId) await abort(bucket, key, upload.UploadId, signal)
    }
  } catch (error) {
    // Not every service supports this, and not every access key permits it; it is optional.
    if (!isS3Error(error, 'NotImplemented', 'AccessDenied', 'MethodNotAllowed')) throw error
  }
}

async function abort({ client, sdk, name }: Bucket, key: string, uploadId: string, signal: AbortSignal): Promise<void> {
  try {
    await client.send(new sdk.AbortMultipartUploadCommand({ Bucket: name, Key: key, UploadId: uploadId }), {
      abortSignal: signal,
    })
  } catch (error) {
    if (!isS3Error(error, 'NoSuchUpload', 'NotImplemented', 'MethodNotAllowed')) throw error
  }
}

function partNumbers(size: number, partBytes: number): number[] {
  return Array.from({ length: Math.max(1, Math.ceil(size / partBytes)) }, (_, index) => index + 1)
}

function bytesThere(size: number, { parts, partBytes }: UploadState): number {
  return Object.keys(parts).reduce((sum, part) => sum + Math.min(partBytes, size - (Number(part) - 1) * partBytes), 0)
}
