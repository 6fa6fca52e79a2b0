import { auth, drive, type drive_v3 } from '@googleapis/drive'
import type { GoogleDriveSettings } from './settings.ts'

/** Where Google's servers are. */
export interface GoogleAddresses {
  /** Without a slash at the end. */
  readonly api: string
  readonly token: string
}

export const GOOGLE: GoogleAddresses = {
  api: 'https://www.googleapis.com',
  token: 'https://oauth2.googleapis.com/token',
}

/** A request beside the library's own methods, which know no resumable uploads. */
export type DriveRequest = (request: {
  /** A path of the API, or the whole address of a session. */
  readonly url: string
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly body?: Buffer | undefined
  readonly signal: AbortSignal
  /** Statuses that are no error. */
  readonly accept: readonly number[]
}) => Promise<{
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly data: unknown
}>

/** The Drive API under the owner's authorisation; an access token that is refused is refreshed once. */
export function createDriveClient(
  settings: GoogleDriveSettings,
  addresses: GoogleAddresses,
): { drive: drive_v3.Drive; request: DriveRequest } {
  const client = new auth.OAuth2({
    clientId: settings.googleDriveClientId,
    clientSecret: settings.googleDriveClientSecret,
    endpoints: { oauth2TokenUrl: addresses.token },
    forceRefreshOnFailure: true,
  })
  client.setCredentials({ refresh_token: settings.googleDriveRefreshToken })
  return {
    // `withRetries` tries again, for all locations alike.
    drive: drive({ version: 'v3', auth: client, rootUrl: `${addresses.api}/`, retry: false }),
    async request({ url, method, headers = {}, json, body, signal, accept }) {
      const address = new URL(url, addresses.api)
      // The access token goes to Google only, whatever address an answer names.
      if (address.origin !== new URL(addresses.api).origin) throw new TypeError('Not an address of the Drive API.')
      return client.request<unknown>({
        url: address.href,
        method,
        headers: { ...headers, ...(json !== undefined && { 'Content-Type': 'application/json' }) },
        ...(json !== undefined && { data: json }),
        ...(body !== undefined && { data: body }),
        signal,
        retry: false,
        // The library would look through a chunk byte by byte, for seconds; nothing of its errors is passed on anyway.
        errorRedactor: false,
        redirect: 'manual',
        validateStatus: (status) => accept.includes(status),
      })
    },
  }
}
