import type { S3ServiceException } from '@aws-sdk/client-s3'
import { type Failure, statusFailure } from '../failure.ts'

/** Error codes of S3 (API reference, "Error responses") that say more than their status. */
const REASONS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'There is no bucket of that name.',
  InvalidBucketName: 'That is no possible name of a bucket.',
  InvalidAccessKeyId: 'The access key is not known.',
  SignatureDoesNotMatch: 'The secret key is wrong.',
  AccessDenied: 'The access key may not do this in the bucket.',
  AllAccessDisabled: 'The access key may not do this in the bucket.',
  AccountProblem: 'The account has a problem; ask the provider.',
  QuotaExceeded: 'There is no room left in the bucket.',
  XMinioStorageFull: 'There is no room left on the server.',
  EntityTooLarge: 'The archive is larger than the service takes.',
  PermanentRedirect: 'The bucket is in another region.',
  AuthorizationHeaderMalformed: 'The bucket is in another region.',
  IllegalLocationConstraintException: 'The bucket is in another region.',
  RequestTimeTooSkewed: 'The clock of this machine is wrong.',
  NoSuchKey: 'There is no such archive in the bucket.',
}

const TEMPORARY = new Set([
  'SlowDown',
  'RequestTimeout',
  'Throttling',
  'BadDigest',
  'InternalError',
  'NoSuchUpload',
  'InvalidPart',
])

export function diagnose(error: unknown): Failure | undefined {
  if (!isS3Error(error)) return undefined
  const reason = REASONS[error.name]
  if (reason) return { reason, temporary: false }
  const status = error.$metadata.httpStatusCode
  // Without a status there was no answer: the caller looks at the connection.
  if (status === undefined) return undefined
  const retryAfter = error.$response?.headers['retry-after']
  const failure = statusFailure(status, retryAfter)
  if (TEMPORARY.has(error.name)) return { ...failure, temporary: true }
  return status === 401 ? { ...failure, reason: 'The access key or the secret key is wrong.' } : failure
}

/** @param names - `NoSuchUpload`, … */
export function isS3Error(error: unknown, ...names: readonly string[]): error is S3ServiceException {
  return error instanceof Error && '$metadata' in error && (names.length === 0 || names.includes(error.name))
}
