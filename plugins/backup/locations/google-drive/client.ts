import type { drive_v3 } from '@googleapis/drive'
import type { GoogleDriveSettings } from './settings.ts'

/** Base URLs of Google's servers. */
export interface GoogleAddresses {
  /** Without a trailing slash. */
  readonly api: string
  readonly token: string
}

export const GOOGLE: GoogleAddresses = {
  api: 'https://www.googleapis.com',
  token: 'https://oauth2.googleapis.com/token',
}

/** A raw request, since the library does not support resumable uploads. */
export type DriveRequest = (request: {
  /** A path of the API, or the URL of an upload session. */
  readonly url: string
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly body?: Buffer | undefined
  readonly signal: AbortSignal
  /** Statuses that are not errors. */
  readonly accept: readonly number[]
}) => Promise<{
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly data: unknown
}>

/** A client for the Drive API with the owner's authorization. A rejected access token is refreshed once. */
export async function createDriveClient(
  settings: GoogleDriveSettings,
  addresses: GoogleAddresses,
): Promise<{ drive: drive_v3.Drive; request: DriveRequest }> {
  const { auth, drive } = await import('@googleapis/drive')
  const client = new auth.OAuth2({
    clientId: settings.googleDriveClientId,
    clientSecret: settings.googleDriveClientSecret,
    endpoints: { oauth2TokenUrl: addresses.token },
    forceRefreshOnFailure: true,
  })
  client.setCredentials({ refresh_token: settings.googleDriveRefreshToken })
  return {
    // `withRetries` handles retries for all locations.
    drive: drive({ version: 'v3', auth: client, rootUrl: `${addresses.api}/`, retry: false }),
    async request({ url, method, headers = {}, json, body, signal, accept }) {
      const address = new URL(url, addresses.api)
      // Never sends the access token to another host, even if a response names one.
      if (address.origin !== new URL(addresses.api).origin) throw new TypeError('Not an address of the Drive API.')
      return client.request<unknown>({
        url: address.href,
        method,
        headers: { ...headers, ...(json !== undefined && { 'Content-Type': 'application/json' }) },
        ...(json !== undefined && { data: json }),
        ...(body !== undefined && { data: body }),
        signal,
        retry: false,
        // The redactor would scan each chunk for seconds; its errors are never passed on anyway.
        errorRedactor: false,
        redirect: 'manual',
        validateStatus: (status) => accept.includes(status),
      })
    },
  }
}
