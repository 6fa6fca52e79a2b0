import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { BackupLocation, StoredArchive } from '../../types.ts'
import { assertFileName, PARTIAL } from '../archive-file.ts'
import { resumedDownload } from '../download.ts'
import { LocationFailure } from '../failure.ts'
import { type RetryOptions, withRetries } from '../retry.ts'
import { diagnose, isS3Error } from './failure.ts'
import type { S3Settings } from './settings.ts'
import { discardUpload, uploadObject } from './upload.ts'

const CONNECT_MS = 20_000
/** Maximum idle time, in ms. */
const IDLE_MS = 60_000

/**
 * A bucket of Amazon S3 or any compatible service.
 *
 * The endpoint may be a private address: only owners (`manage_options`) can set it, and their storage is often on the
 * same network. Certificates are verified.
 */
export async function createS3Location(settings: S3Settings, firstDelayMs: number): Promise<BackupLocation> {
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    region: settings.s3Region || 'us-east-1',
    ...(settings.s3Endpoint && { endpoint: settings.s3Endpoint }),
    credentials: { accessKeyId: settings.s3AccessKey, secretAccessKey: settings.s3SecretKey },
    forcePathStyle: settings.s3PathStyle === 'on',
    // Many compatible services reject Amazon's trailing checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // `withRetries` handles retries for all locations.
    maxAttempts: 1,
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: IDLE_MS },
  })
  const retry: RetryOptions = { title: 'S3', firstDelayMs, diagnose }
  const bucket = { client, sdk, name: settings.s3Bucket, retry }
  const keyOf = (name: string) => {
    assertFileName(name)
    return settings.s3Prefix + name
  }

  return {
    id: 's3',
    title: 'S3',
    test: (signal) =>
      withRetries({ ...retry, maxAttempts: 1 }, signal, async () => {
        const object = {
          Bucket: bucket.name,
          Key: `${settings.s3Prefix}pentad-test-${randomBytes(12).toString('hex')}`,
        }
        const send = { abortSignal: signal }
        const text = randomBytes(24).toString('base64url')
        await client.send(new sdk.PutObjectCommand({ ...object, Body: text }), send)
        try {
          const { Body: body } = await client.send(new sdk.GetObjectCommand(object), send)
          if ((await body?.transformToString()) !== text) {
            throw new LocationFailure({
              reason: 'The test file does not have the content that was written.',
              temporary: false,
            })
          }
        } finally {
          await client.send(new sdk.DeleteObjectCommand(object), send)
        }
      }),
    async upload(file, progress) {
      await uploadObject(bucket, keyOf(file.name), file, progress)
      return file.name
    },
    discard: (file, state, signal) => discardUpload(bucket, keyOf(file.name), state, signal),
    download: (name, range, signal) =>
      resumedDownload(retry, range, signal, async (part) => {
        const { Body: body, ContentRange: got } = await client.send(
          new sdk.GetObjectCommand({
            Bucket: bucket.name,
            Key: keyOf(name),
            ...(part && { Range: `bytes=${part.start}-${part.end ?? ''}` }),
          }),
          { abortSignal: signal },
        )
        if (!(body instanceof Readable)) throw new TypeError('The S3 library did not return a Node stream.')
        if (part && !got?.startsWith(`bytes ${part.start}-`)) {
          body.destroy()
          throw new LocationFailure({ reason: 'The service did not return the requested range.', temporary: false })
        }
        return body
      }),
    remove: (name, signal) =>
      withRetries(retry, signal, async () => {
        try {
          await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket.name, Key: keyOf(name) }), {
            abortSignal: signal,
          })
        } catch (error) {
          if (!isS3Error(error, 'NoSuchKey')) throw error
        }
      }),
    list: (signal) =>
      withRetries(retry, signal, async () => {
        const archives: StoredArchive[] = []
        let token: string | undefined
        do {
          const page = await client.send(
            new sdk.ListObjectsV2Command({
              Bucket: bucket.name,
              Prefix: settings.s3Prefix,
              // Ignores subfolders.
              Delimiter: '/',
              ...(token !== undefined && { ContinuationToken: token }),
            }),
            { abortSignal: signal },
          )
          for (const { Key: key = '', Size: size = 0 } of page.Contents ?? []) {
            const name = key.slice(settings.s3Prefix.length)
            if (name !== '' && !name.endsWith(PARTIAL)) archives.push({ name, size })
          }
          token = page.IsTruncated ? page.NextContinuationToken : undefined
        } while (token !== undefined)
        return archives
      }),
    async close() {
      client.destroy()
    },
  }
}
