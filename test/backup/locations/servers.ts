/** Real servers for the locations, each on a free port of this machine and in a folder of its own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import S3rver from 's3rver'
import type { LocationSettings } from '../../../plugins/backup/locations/settings.ts'
import { freePort } from '../../support/free-port.ts'
import { temporaryFolder } from '../../support/site-folder.ts'
import { partsOf } from './s3-parts.ts'

export interface LocationServer {
  readonly port: number
  /** Where its files lie on this machine. */
  readonly folder: string
  /** What an owner enters to reach it, by way of another port if one is given. */
  settings(port?: number): Partial<LocationSettings>
  stop(): Promise<void>
}

export async function startWebdav(): Promise<LocationServer> {
  const folder = temporaryFolder()
  const port = await freePort()
  const credentials = ['--user', 'anna', '--pass', 'correct horse']
  const child = spawn('rclone', ['serve', 'webdav', folder, '--addr', `127.0.0.1:${port}`, ...credentials], {
    stdio: 'ignore',
  })
  await listening(port)
  return {
    port,
    folder,
    settings: (to = port) => ({
      webdavUrl: `http://127.0.0.1:${to}/my backups`,
      webdavUser: 'anna',
      webdavPassword: 'correct horse',
    }),
    stop: () => end(child),
  }
}

export const BUCKET = 'archives'

export interface S3Server extends LocationServer {
  /** Answers the next requests of that method with an error of S3, as often as told. */
  refuse(method: string, status: number, code: string, times?: number): void
}

export async function startS3(): Promise<S3Server> {
  const folder = temporaryFolder()
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory: folder,
    silent: true,
    configureBuckets: [{ name: BUCKET }],
  })
  let refusal = { method: '', status: 0, code: '', times: 0 }
  server.middleware.unshift(async (context, next) => {
    if (refusal.times === 0 || context.method !== refusal.method) return next()
    refusal.times -= 1
    context.req.resume()
    context.status = refusal.status
    context.type = 'application/xml'
    context.body = `<?xml version="1.0"?><Error><Code>${refusal.code}</Code><Message>secret</Message></Error>`
  }, partsOf(folder))
  const { port } = await server.run()
  return {
    refuse(method, status, code, times = 1) {
      refusal = { method, status, code, times }
    },
    port,
    folder,
    settings: (to = port) => ({
      s3Endpoint: `http://127.0.0.1:${to}`,
      s3Bucket: BUCKET,
      s3AccessKey: 'S3RVER',
      s3SecretKey: 'S3RVER',
      s3Prefix: 'my backups/',
      s3PathStyle: 'on',
    }),
    stop: () => server.close(),
  }
}

export interface SftpServer extends LocationServer {
  /** `SHA256:…` of its host key. */
  readonly fingerprint: string
}

export async function startSftp(): Promise<SftpServer> {
  const folder = temporaryFolder()
  const port = await freePort()
  const path = (name: string) => join(folder, name)
  for (const name of ['host', 'user']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path(name)])
  }
  writeFileSync(path('authorized'), readFileSync(path('user.pub')))
  writeFileSync(
    path('config'),
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${path('host')}`,
      `AuthorizedKeysFile ${path('authorized')}`,
      `PidFile ${path('pid')}`,
      'StrictModes no',
      'UsePAM no',
      'PermitRootLogin yes',
      // What fails in one test must not make the server turn the next one away.
      'MaxStartups 100',
      'Subsystem sftp internal-sftp',
    ].join('\n'),
  )
  // Where sshd started by root keeps itself apart from what it serves; Debian's init makes it, a bare container does not.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  const child = spawn('/usr/sbin/sshd', ['-D', '-f', path('config')], { stdio: 'ignore' })
  await listening(port)
  const shown = execFileSync('ssh-keygen', ['-lf', path('host.pub')], { encoding: 'utf8' })
  const fingerprint = /SHA256:\S+/.exec(shown)?.[0] ?? ''
  return {
    port,
    folder: path('my backups'),
    fingerprint,
    settings: (to = port) => ({
      sftpHost: '127.0.0.1',
      sftpPort: to,
      sftpUser: userInfo().username,
      sftpPrivateKey: readFileSync(path('user'), 'utf8'),
      sftpHostFingerprint: fingerprint,
      sftpPath: path('my backups'),
    }),
    stop: () => end(child),
  }
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    if (isOpen) return
    await sleep(50)
  }
  throw new Error(`Nothing listens on port ${port}.`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  await closed
}
