/** A real Redis server, which stores nothing on disk. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { freePort } from './free-port.ts'
import { temporaryFolder } from './site-folder.ts'

const PROGRAM = '/usr/bin/redis-server'

export const hasRedis: boolean = existsSync(PROGRAM)

export interface TestRedis {
  /** `PENTAD_RATE_LIMIT_URL` with this password; default: the right one. */
  url(password?: string): string
  /** Certificate of the server, with TLS. */
  readonly certificate: string
  /** Keys with their values. */
  counts(): Promise<Map<string, string>>
  /** Starts the server again after `end`, empty. */
  start(): Promise<void>
  pause(): void
  resume(): void
  /** Kills the server. */
  end(): Promise<void>
}

/** @param password - With special characters, to show that they are decoded. */
export async function startRedis(password: string, { tls = false } = {}): Promise<TestRedis> {
  const port = await freePort()
  const folder = temporaryFolder()
  const certificate = join(folder, 'server.crt')
  const key = join(folder, 'server.key')
  if (tls) {
    const request = [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-addext',
      'subjectAltName=IP:127.0.0.1',
    ]
    execFileSync('openssl', [...request, '-subj', '/CN=redis', '-keyout', key, '-out', certificate], {
      stdio: 'ignore',
    })
  }
  const ports = tls
    ? [
        '--port',
        '0',
        '--tls-port',
        String(port),
        '--tls-cert-file',
        certificate,
        '--tls-key-file',
        key,
        '--tls-auth-clients',
        'no',
      ]
    : ['--port', String(port)]
  let server: ChildProcess

  async function start(): Promise<void> {
    const args = [...ports, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--requirepass', password]
    server = spawn(PROGRAM, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    for await (const chunk of server.stdout ?? []) if (String(chunk).includes('Ready to accept connections')) break
    server.stdout?.resume()
  }

  /** Sends commands of words without spaces, and returns what the server answers. */
  async function ask(...commands: string[]): Promise<string> {
    const address = { host: '127.0.0.1', port }
    const socket = tls ? connect({ ...address, ca: readFileSync(certificate) }) : createConnection(address)
    socket.end([`AUTH ${password}`, ...commands, 'QUIT'].map((command) => `${command}\r\n`).join(''))
    return text(socket)
  }

  await start()
  return {
    url: (given = password) => `${tls ? 'rediss' : 'redis'}://:${encodeURIComponent(given)}@127.0.0.1:${port}/3`,
    certificate,
    async counts() {
      const words = async (...commands: string[]) => (await ask('SELECT 3', ...commands)).split('\r\n')
      const keys = (await words('KEYS *')).filter((line) => line.startsWith('pentad:'))
      const values = (await words(...keys.map((one) => `GET ${one}`))).filter((line) => /^\d+$/.test(line))
      return new Map(keys.map((one, at) => [one, values[at] ?? '']))
    },
    start,
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    async end() {
      if (server.exitCode !== null || server.signalCode !== null) return
      const ended = once(server, 'exit')
      server.kill('SIGKILL')
      await ended
    },
  }
}
