/**
 * The pentad command as a user runs it: a process of its own. `npm test` builds the npm package first, and commands are those of the
 * package, which start in two thirds of the CPU time. Without `PENTAD_TEST_PACKAGE`, as for a single file, they run from source.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { until } from './until.ts'

/** Whether `dist/pentad` is the package that belongs to the source. */
export const IS_PACKAGE_BUILT: boolean = process.env.PENTAD_TEST_PACKAGE === '1'

/** The file that Node runs. */
export const COMMAND: string = join(
  import.meta.dirname,
  IS_PACKAGE_BUILT ? '../../dist/pentad/cli/index.js' : '../../cli/index.ts',
)

/** How its messages name it. */
export const OWN_COMMAND: string = IS_PACKAGE_BUILT ? `node ${COMMAND}` : 'npm run pentad --'

export interface Finished {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

/** Runs a command to its end. @param siteDir - `null` for a command that has a site of its own. */
export async function pentad(
  siteDir: string | null,
  args: readonly string[],
  input = '',
  limits: Limits = {},
): Promise<Finished> {
  const child = launch(siteDir, args, limits)
  const collected = collect(child)
  child.stdin?.end(input)
  const [code] = await once(child, 'close')
  return { code, ...collected }
}

interface Limits {
  readonly openFiles?: number
  readonly heapMegabytes?: number
  /** Whether it gets a process group of its own, as a terminal gives each command. */
  readonly ownGroup?: boolean
  /** Further arguments of Node. */
  readonly nodeArgs?: readonly string[]
  /** Another file than `COMMAND`. */
  readonly command?: string
}

export interface RunningSite {
  readonly url: string
  /** All that it printed up to now. */
  readonly output: () => string
  /** The same of standard error. */
  readonly errors: () => string
  /** Of the process that serves; the command supervises it. It is another one after the site was started again. */
  readonly pid: () => number
  /** Of all processes that serve, where there are several workers. */
  readonly processIds: () => number[]
  /** Sends SIGINT to both processes, as a terminal does on Ctrl+C, and resolves to the exit code. Needs `ownGroup`. */
  interrupt(): Promise<number | null>
  /** Sends a signal to the command, SIGKILL to both processes, and resolves to the exit code, `null` where the signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/**
 * Runs `pentad start` on a free port until it serves.
 * @param limits.openFiles how many file descriptors the process may have
 * @param limits.heapMegabytes of the process that serves
 */
export async function startPentad(
  siteDir: string | null,
  args: readonly string[] = [],
  limits: Limits = {},
  command: 'start' | 'dev' = 'start',
): Promise<RunningSite> {
  const child = launch(siteDir, [command, '--port', '0', ...args], limits)
  const collected = collect(child)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  child.stdout?.on('data', () => {
    const url = /Pentad is running at (\S+)/.exec(collected.output)?.[1]
    if (url) resolve(url)
  })
  child.once('close', (code) =>
    reject(new Error(`pentad ${command} ended with ${code}: ${collected.errors}${collected.output}`)),
  )
  const url = await promise
  const processIds = () => {
    const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(child.pid)], { encoding: 'utf8' })
    return stdout.split('\n').filter(Boolean).map(Number)
  }
  // A site that ends at once may be between two processes.
  await until(() => processIds().length > 0)
  const serverPid = () => processIds()[0] ?? Number.NaN
  const first = serverPid()
  return {
    url,
    output: () => collected.output,
    errors: () => collected.errors,
    pid: serverPid,
    processIds,
    async interrupt() {
      const closed = once(child, 'close')
      process.kill(-(child.pid ?? Number.NaN), 'SIGINT')
      const [code] = await closed
      return code
    },
    async end(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      const closed = once(child, 'close')
      child.kill(signal)
      if (signal === 'SIGKILL') killNow(first)
      const [code] = await closed
      return code
    },
  }
}

/** Even if it is stopped, or too busy to see that its supervisor is gone. */
function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended together with its supervisor, or another one took its place and does so.
  }
}

/** Begins a command; what it does with it is the caller's. */
export function launch(
  siteDir: string | null,
  args: readonly string[],
  { openFiles, heapMegabytes, ownGroup = false, nodeArgs = [], command: file = COMMAND }: Limits = {},
): ChildProcess {
  const heap = heapMegabytes === undefined ? [] : [`--max-old-space-size=${heapMegabytes}`]
  const command = [
    process.execPath,
    ...heap,
    ...nodeArgs,
    file,
    ...(siteDir === null ? [] : ['--site', siteDir]),
    ...args,
  ]
  const limited =
    openFiles === undefined ? command : ['sh', '-c', `ulimit -n ${openFiles} && exec "$@"`, 'sh', ...command]
  const [program = '', ...rest] = limited
  return spawn(program, rest, { env: environment(), stdio: 'pipe', detached: ownGroup })
}

/** Without settings of the machine's own site. */
export function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PENTAD_')))
}

/** All that it prints, as it comes. */
export function collect(child: ChildProcess): { output: string; errors: string } {
  const collected = { output: '', errors: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    collected.output += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    collected.errors += text
  })
  return collected
}
