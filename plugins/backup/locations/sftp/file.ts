/**
 * Positioned reads and writes of a remote file with pipelined requests: sequential ones would cost a round trip each.
 */
import { promisify } from 'node:util'
import type { SftpRequests } from './connection.ts'

/** Payload that every server accepts in one packet (draft-ietf-secsh-filexfer-02, section 3: 34,000 bytes in all). */
const PACKET_BYTES = 32 * 1024

export interface RemoteFile {
  /** Resolves once the server has confirmed every byte. */
  write(bytes: Buffer, position: number): Promise<void>
  /** Reads `length` bytes, or fewer at the end of the file. */
  read(position: number, length: number): Promise<Buffer>
  /** Flushes to the server's disk if supported (`fsync@openssh.com`). */
  sync(): Promise<void>
  close(): Promise<void>
}

/** @param flags - `r`; `r+` to continue writing; `w` to start over. */
export async function openRemote(requests: SftpRequests, path: string, flags: 'r' | 'r+' | 'w'): Promise<RemoteFile> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  requests.open(path, flags, { mode: 0o600 }, (error, opened) => (error ? reject(error) : resolve(opened)))
  const handle = await promise

  async function readPacket(into: Buffer, at: number, length: number, position: number): Promise<number> {
    let filled = 0
    // A server may return less than requested.
    while (filled < length) {
      const got = await new Promise<number>((resolve, reject) => {
        requests.read(handle, into, at + filled, length - filled, position + filled, (error, bytes) => {
          // Status 1 is the end of the file.
          if (error && !('code' in error && error.code === 1)) reject(error)
          else resolve(error ? 0 : bytes)
        })
      })
      if (got === 0) break
      filled += got
    }
    return filled
  }

  return {
    async write(bytes, position) {
      await Promise.all(
        packets(bytes.length).map(
          ({ at, length }) =>
            new Promise<void>((resolve, reject) => {
              requests.write(handle, bytes, at, length, position + at, (error) => (error ? reject(error) : resolve()))
            }),
        ),
      )
    },
    async read(position, length) {
      const bytes = Buffer.allocUnsafe(length)
      const got = await Promise.all(
        packets(length).map((packet) => readPacket(bytes, packet.at, packet.length, position + packet.at)),
      )
      return bytes.subarray(
        0,
        got.reduce((sum, count) => sum + count, 0),
      )
    },
    async sync() {
      try {
        await promisify(requests.ext_openssh_fsync.bind(requests))(handle)
      } catch {
        // Not supported by this server.
      }
    },
    close: () =>
      new Promise<void>((resolve, reject) => {
        requests.close(handle, (error) => (error ? reject(error) : resolve()))
      }),
  }
}

function packets(length: number): { at: number; length: number }[] {
  return Array.from({ length: Math.ceil(length / PACKET_BYTES) }, (_, index) => ({
    at: index * PACKET_BYTES,
    length: Math.min(PACKET_BYTES, length - index * PACKET_BYTES),
  }))
}
