import { RestError } from '../../../core/errors.ts'

/** Error codes of RFC 6749 (4.1.2.1, 5.2), RFC 7591 (3.2.2), and RFC 8707 (2). */
type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'

/** An error that an application understands. */
export class OAuthError extends RestError {
  constructor(code: OAuthErrorCode, message: string) {
    super(code, message, { status: 400 })
  }
}
