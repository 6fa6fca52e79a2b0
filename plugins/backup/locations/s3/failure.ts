import type { S3ServiceException } from '@aws-sdk/client-s3'
import { type Failure, statusFailure } from '../failure.ts'

/** Error codes of S3 (API reference, "Error responses") that are more specific than their status. */
const REASONS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'The bucket does not exist.',
  InvalidBucketName: 'The bucket name is not valid.',
  InvalidAccessKeyId: 'The access key does not exist.',
  SignatureDoesNotMatch: 'The secret key is incorrect.',
  AccessDenied: 'The access key lacks permission for the bucket.',
  AllAccessDisabled: 'The access key lacks permission for the bucket.',
  AccountProblem: 'The account has a problem. Contact the provider.',
  QuotaExceeded: 'The bucket has reached its quota.',
  XMinioStorageFull: 'There is no space left on the server.',
  EntityTooLarge: 'The archive is too large for the service.',
  PermanentRedirect: 'The bucket is in another region.',
  AuthorizationHeaderMalformed: 'The bucket is in another region.',
  IllegalLocationConstraintException: 'The bucket is in another region.',
  RequestTimeTooSkewed: 'The clock of this server is wrong.',
  NoSuchKey: 'The archive does not exist in the bucket.',
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
  // Without a status there was no response: a connection error.
  if (status === undefined) return undefined
  const retryAfter = error.$response?.headers['retry-after']
  const failure = statusFailure(status, retryAfter)
  if (TEMPORARY.has(error.name)) return { ...failure, temporary: true }
  return status === 401 ? { ...failure, reason: 'The access key or secret key is incorrect.' } : failure
}

/** @param names - `NoSuchUpload`, … */
export function isS3Error(error: unknown, ...names: readonly string[]): error is S3ServiceException {
  return error instanceof Error && '$metadata' in error && (names.length === 0 || names.includes(error.name))
}
