/** A cache will never accept a purge, for example because a token is invalid. */
export class PurgeRejectedError extends Error {
  override readonly name = 'PurgeRejectedError'
}
