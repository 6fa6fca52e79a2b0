import { createHash } from 'node:crypto'
import { connect as openSocket, type Socket } from 'node:net'
import type SftpClient from 'ssh2-sftp-client'
import { abortable } from '../abortable.ts'
import { type Failure, LocationFailure } from '../failure.ts'
import type { SftpSettings } from './settings.ts'

/** The requests of the protocol, for reading and writing at a position; as `connect` of the library resolves to. */
export type SftpRequests = Awaited<ReturnType<SftpClient['connect']>>

export interface SftpConnection {
  readonly client: SftpClient
  readonly requests: SftpRequests
}

const READY_MS = 20_000
/** Three unanswered signs of life end a connection. */
const KEEP_ALIVE_MS = 15_000

/**
 * Connects. The server's key must be the one that the owner pinned: nobody else can vouch for it. Disposing of the
 * connection ends it.
 */
export async function connect(settings: SftpSettings, signal: AbortSignal): Promise<SftpConnection & Disposable> {
  const { default: Client } = await import('ssh2-sftp-client')
  // Left to itself the library writes to the console. What counts reaches whoever waits for a request.
  const client = new Client('backup', { error: () => {}, end: () => {}, close: () => {} })
  const presented: { fingerprint?: string } = {}
  // Left to itself the library writes each packet in pieces, and the system's waiting for more costs 40 ms a request.
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

/** Not waited for: a server that is gone never confirms it. */
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
    ? `The server presents another key than the pinned one: ${fingerprint}. Somebody may be listening in, or the server was set up anew.`
    : `The server is not known yet. Compare its fingerprint ${fingerprint} and enter it in the settings.`
  return new LocationFailure({ reason, temporary: false })
}

/** Status codes of draft-ietf-secsh-filexfer-02, section 7; 14 and 15 are of later drafts. */
const STATUS_REASONS: Readonly<Record<number, string>> = {
  2: 'There is no such file or folder on the server.',
  3: 'The user may not do this in the folder.',
  4: 'The server refuses it; there may be no room left on its disk.',
  8: 'The server cannot do this.',
  14: 'There is no room left on the server.',
  15: 'There is no room left for this user.',
}

/** What ssh2-sftp-client makes of them. */
const LIBRARY_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file or folder on the server.',
  EACCES: 'The user may not do this in the folder.',
  ENOTDIR: 'The folder cannot be made, or it is no folder.',
  ERR_BAD_PATH: 'The folder cannot be made, or it is no folder.',
}

export function diagnose(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? error.code : undefined
  // `custom` marks the library's own: an ENOENT of this machine's disk is none of the server's.
  const texts = 'custom' in error ? LIBRARY_REASONS : {}
  const reason = typeof code === 'number' ? STATUS_REASONS[code] : typeof code === 'string' ? texts[code] : undefined
  if (reason) return { reason, temporary: false }
  if (code === 'ERR_NOT_CONNECTED') return { reason: 'The connection broke.', temporary: true }
  // These have no code.
  if (/authentication methods failed/.test(error.message)) {
    return { reason: 'The user name, the password or the private key is wrong.', temporary: false }
  }
  if (/Cannot parse privateKey|Encrypted private/.test(error.message)) {
    return { reason: 'The private key cannot be read, or its passphrase is wrong.', temporary: false }
  }
  if (/timed? ?out/i.test(error.message)) return { reason: 'The server does not answer.', temporary: true }
  if (/No response from server|Not connected|unexpected|closed|lost|keepalive/i.test(error.message)) {
    return { reason: 'The connection broke.', temporary: true }
  }
  return undefined
}
