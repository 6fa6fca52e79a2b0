import { createHash } from 'node:crypto'
import { connect as openSocket, type Socket } from 'node:net'
import type SftpClient from 'ssh2-sftp-client'
import { abortable } from '../abortable.ts'
import { type Failure, LocationFailure } from '../failure.ts'
import type { SftpSettings } from './settings.ts'

/** The low-level protocol requests for positioned reads and writes, returned by the library's `connect`. */
export type SftpRequests = Awaited<ReturnType<SftpClient['connect']>>

export interface SftpConnection {
  readonly client: SftpClient
  readonly requests: SftpRequests
}

const READY_MS = 20_000
/** Interval of keep-alives in ms. Three unanswered ones close the connection. */
const KEEP_ALIVE_MS = 15_000

/**
 * Connects. The server's host key must match the pinned fingerprint. Disposing the connection closes it.
 */
export async function connect(settings: SftpSettings, signal: AbortSignal): Promise<SftpConnection & Disposable> {
  const { default: Client } = await import('ssh2-sftp-client')
  // Without handlers the library logs to the console. Errors reach the pending requests anyway.
  const client = new Client('backup', { error: () => {}, end: () => {}, close: () => {} })
  const presented: { fingerprint?: string } = {}
  // The library writes each packet in pieces; without `noDelay`, Nagle's algorithm adds 40 ms per request.
  const socket = openSocket({ host: settings.sftpHost, port: settings.sftpPort, noDelay: true })
  try {
    const requests = await abortable(client.connect(connectOptions(settings, socket, presented)), signal)
    return { client, requests, [Symbol.dispose]: () => end(client) }
  } catch (error) {
    end(client)
    socket.destroy()
    signal.throwIfAborted()
    throw mismatch(settings, presented.fingerprint) ?? error
  }
}

/** Not awaited: an unreachable server never confirms it. */
function end(client: SftpClient): void {
  client.end().catch(() => {})
}

function connectOptions(
  settings: SftpSettings,
  sock: Socket,
  presented: { fingerprint?: string },
): SftpClient.ConnectOptions {
  return {
    sock,
    username: settings.sftpUser,
    ...(settings.sftpPrivateKey
      ? {
          privateKey: settings.sftpPrivateKey,
          ...(settings.sftpPassword && { passphrase: settings.sftpPassword }),
        }
      : { password: settings.sftpPassword }),
    hostVerifier(key: Buffer) {
      presented.fingerprint = `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
      return presented.fingerprint === settings.sftpHostFingerprint
    },
    readyTimeout: READY_MS,
    keepaliveInterval: KEEP_ALIVE_MS,
  }
}

function mismatch(settings: SftpSettings, fingerprint: string | undefined): LocationFailure | undefined {
  if (fingerprint === undefined || fingerprint === settings.sftpHostFingerprint) return undefined
  const reason = settings.sftpHostFingerprint
    ? `The server's host key does not match the saved fingerprint; it is ${fingerprint}. The connection may be intercepted, or the server may have been reinstalled.`
    : `The server's host key is not verified yet. If the fingerprint ${fingerprint} is correct, enter it in the settings.`
  return new LocationFailure({ reason, temporary: false })
}

/** Status codes of draft-ietf-secsh-filexfer-02, section 7; 14 and 15 come from later drafts. */
const STATUS_REASONS: Readonly<Record<number, string>> = {
  2: 'The file or folder does not exist on the server.',
  3: 'The user lacks permission for the folder.',
  4: 'The server reported a failure. Its disk may be full.',
  8: 'The server does not support this operation.',
  14: 'There is no space left on the server.',
  15: 'The user has reached the storage quota.',
}

/** The same as reported by ssh2-sftp-client. */
const LIBRARY_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'The file or folder does not exist on the server.',
  EACCES: 'The user lacks permission for the folder.',
  ENOTDIR: 'The folder could not be created, or the path is not a folder.',
  ERR_BAD_PATH: 'The folder could not be created, or the path is not a folder.',
}

export function diagnose(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? error.code : undefined
  // `custom` marks errors of the library; an ENOENT without it comes from the local disk.
  const texts = 'custom' in error ? LIBRARY_REASONS : {}
  const reason = typeof code === 'number' ? STATUS_REASONS[code] : typeof code === 'string' ? texts[code] : undefined
  if (reason) return { reason, temporary: false }
  if (code === 'ERR_NOT_CONNECTED') return { reason: 'The connection was lost.', temporary: true }
  // These errors have no code.
  if (/authentication methods failed/.test(error.message)) {
    return { reason: 'The username, password, or private key is incorrect.', temporary: false }
  }
  if (/Cannot parse privateKey|Encrypted private/.test(error.message)) {
    return { reason: 'The private key cannot be read, or its passphrase is wrong.', temporary: false }
  }
  if (/timed? ?out/i.test(error.message)) return { reason: 'The server did not respond.', temporary: true }
  if (/No response from server|Not connected|unexpected|closed|lost|keepalive/i.test(error.message)) {
    return { reason: 'The connection was lost.', temporary: true }
  }
  return undefined
}
