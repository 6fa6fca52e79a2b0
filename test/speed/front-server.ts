/** Real caching servers in front of a site, each in a temporary folder, with the configuration of the guide. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../support/until.ts'
import { speak } from '../support/wire.ts'

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/guides/cdn.md'), 'utf8')

/** A server that can be stopped and started again on its port. */
export interface FrontServer {
  readonly url: string
  /** Its own folder, gone with `remove`. */
  readonly folder: string
  start(): Promise<void>
  stop(): Promise<void>
  remove(): Promise<void>
}

/** The code blocks of that language in the guide, in order. */
export function guideBlocks(language: string): string[] {
  const found = GUIDE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))
  return [...found].map(([, code = '']) => code)
}

/** Varnish with the guide's VCL, after `change`, in front of a site on this machine. */
export async function createVarnish(
  sitePort: number,
  port: number,
  change = (vcl: string) => vcl,
): Promise<FrontServer> {
  const [vcl = ''] = guideBlocks('vcl')
  const folder = mkdtempSync(join(tmpdir(), 'pentad-varnish-'))
  // Started by root, Varnish reads it as a user of its own.
  chmodSync(folder, 0o755)
  const file = join(folder, 'site.vcl')
  writeFileSync(file, change(vcl.replace('"8080"', `"${sitePort}"`)))
  const args = ['-F', '-n', join(folder, 'work'), '-a', `127.0.0.1:${port}`, '-f', file, '-s', 'malloc,64m']
  return createFrontServer({ folder, port, command: ['varnishd', ...args] })
}

/** nginx with the guide's configuration in front of a site on this machine; `purgeMethod` adds the cache-purge module. */
export async function createNginx(sitePort: number, port: number, purgeMethod = false): Promise<FrontServer> {
  const [server = '', inLocation = '', beside = ''] = guideBlocks('nginx')
  const folder = mkdtempSync(join(tmpdir(), 'pentad-nginx-'))
  for (const name of ['cache', 'temporary']) mkdirSync(join(folder, name))
  const site = server
    .replace('/var/cache/nginx/pentad', join(folder, 'cache'))
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('127.0.0.1:8080', `127.0.0.1:${sitePort}`)
    .replace('        gzip on;\n', purgeMethod ? `gzip on;\n${inLocation}` : 'gzip on;\n')
    .replace('    location / {', purgeMethod ? `${beside}    location / {` : '    location / {')
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const paths = kinds.map((kind) => `${kind}_temp_path ${join(folder, 'temporary', kind)};`)
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; worker_processes 1; ${process.getuid?.() === 0 ? 'user root;' : ''}
    pid ${join(folder, 'nginx.pid')}; error_log ${join(folder, 'error.log')};
    ${purgeMethod ? 'load_module /usr/lib/nginx/modules/ngx_http_cache_purge_module.so;' : ''}
    events {}
    http { access_log off; ${paths.join(' ')}
    ${site} }`,
  )
  return createFrontServer({ folder, port, command: ['nginx', '-e', join(folder, 'error.log'), '-c', file] })
}

/** Any of them, by the command that keeps it in the foreground. */
export function createFrontServer(parts: { folder: string; port: number; command: readonly string[] }): FrontServer {
  const { folder, port } = parts
  const [program = '', ...args] = parts.command
  const url = `http://127.0.0.1:${port}`
  let running: ChildProcess | undefined

  async function stop(): Promise<void> {
    const child = running
    running = undefined
    if (!child || child.exitCode !== null) return
    const closed = once(child, 'close')
    child.kill('SIGTERM')
    await closed
  }

  return {
    url,
    folder,
    async start() {
      const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
      running = child
      let errors = ''
      child.stderr.on('data', (text) => {
        errors += text
      })
      let ended: string | undefined
      child.once('error', (error) => {
        ended = `${error.message} (Debian: apt-get install ${program === 'nginx' ? 'nginx-light' : 'varnish'})`
      })
      child.once('close', () => {
        ended ??= `${program} ended: ${errors}`
      })
      await until(async () => {
        if (ended) throw new Error(ended)
        return (await speak(url, 'GET /robots.txt HTTP/1.0\r\n\r\n').catch(() => '')) !== ''
      })
    },
    stop,
    async remove() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
