/**
 * Plugins as EmDash runs them on Node: workerd in a separate process, each plugin a worker with a port of its own, called over HTTP. Rebuilt
 * from `packages/workerd/src/sandbox` of https://github.com/emdash-cms/emdash (commit 353ff4f): the configuration, the token, the handler that
 * parses and returns JSON, and the limit on total time. Without its functions for plugins, which a call that uses none of them does not need.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../test/support/free-port.ts'

const TOKEN = 'a'.repeat(64)
const WALL_TIME = 30_000

const WORKER = `import plugin from 'plugin.js'
export default {
  async fetch(request) {
    if (request.headers.get('authorization') !== 'Bearer ${TOKEN}') return new Response('Unauthorized', { status: 401 })
    const { pathname } = new URL(request.url)
    if (pathname === '/__ready') return new Response('ok')
    const { event } = await request.json()
    return Response.json({ value: await plugin.hooks[pathname.slice('/hook/'.length)](event) })
  },
}`
const PLUGIN = "export default { hooks: { 'content': ({ args }) => args[0] + '<p>added</p>' } }"

/** A running process with plugins. */
export interface Workerd {
  /** Milliseconds from the start of the process until each plugin responds. */
  readonly startTime: number
  /** Memory of the process, in bytes. */
  readonly memory: () => number
  call(event: unknown): Promise<unknown>
  stop(): Promise<void>
}

/** @returns the version; `undefined` if there is no workerd */
export function workerdVersion(): string | undefined {
  try {
    return execFileSync('workerd', ['--version'], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}

/** Starts workerd, which must be in `PATH`. */
export async function startWorkerd(plugins: number): Promise<Workerd> {
  const folder = await mkdtemp(join(tmpdir(), 'pentad-workerd-'))
  const ports: number[] = []
  for (let count = 0; count < plugins; count++) ports.push(await freePort())
  await writeFile(join(folder, 'worker.js'), WORKER)
  await writeFile(join(folder, 'plugin.js'), PLUGIN)
  await writeFile(join(folder, 'config.capnp'), configOf(ports, folder))
  const since = performance.now()
  const child = spawn('workerd', ['serve', join(folder, 'config.capnp')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH },
  })
  const isReady = (port: number) => request(port, '/__ready').catch(() => false)
  while (!(await Promise.all(ports.map(isReady))).every(Boolean)) await wait(5)
  const startTime = performance.now() - since
  const [port = 0] = ports
  return {
    startTime,
    memory: () => memoryOf(child.pid ?? 0),
    async call(event) {
      const timeout = Promise.withResolvers<never>()
      const timer = setTimeout(() => timeout.reject(new Error('The call took too long.')), WALL_TIME)
      const response = await Promise.race([
        request(port, '/hook/content', { method: 'POST', body: JSON.stringify({ event }) }),
        timeout.promise,
      ])
      clearTimeout(timer)
      return response.json()
    },
    async stop() {
      await end(child)
      await rm(folder, { recursive: true })
    },
  }
}

async function request(port: number, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${TOKEN}` }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers })
  if (!response.ok) throw new Error(`The plugin responded with ${response.status}.`)
  return response
}

function configOf(ports: readonly number[], folder: string): string {
  const services = ports.map((_, at) => `(name = "plugin-${at}", worker = .plugin${at}),`)
  const sockets = ports.map(
    (port, at) => `(name = "socket-${at}", address = "127.0.0.1:${port}", service = "plugin-${at}"),`,
  )
  const workers = ports.map(
    (_, at) => `const plugin${at} :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js"), (name = "plugin.js", esModule = embed "plugin.js")],
  compatibilityDate = "2025-01-01",
  compatibilityFlags = ["nodejs_compat"],
  globalOutbound = "backing",
);`,
  )
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "backing", external = (address = "unix:${join(folder, 'backing.sock')}")), ${services.join(' ')}],
  sockets = [${sockets.join(' ')}],
);
${workers.join('\n')}
`
}

/** Resident memory of a process in bytes. The npm package starts the program from a script: then it is that of the program. */
function memoryOf(pid: number): number {
  const [program] = childrenOf(pid)
  if (program !== undefined) return memoryOf(program)
  return Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

function childrenOf(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`)
  const lists = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'))
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  // The script does not pass signals on.
  for (const program of childrenOf(child.pid ?? 0)) process.kill(program, 'SIGTERM')
  child.kill('SIGTERM')
  await ended
}
