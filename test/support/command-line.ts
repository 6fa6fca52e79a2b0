import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { collect, environment, type Finished } from './pentad.ts'

const RUNNER = join(import.meta.dirname, 'command-runner.ts')
/** What ends the output of each command, and its errors. */
export const END = '\0'

/**
 * As `pentad`, but the commands of a `describe` share one process, which loads the host once: most of what a command
 * takes. Not for commands that read standard input, for what comes of the process itself, nor for imports: pages that
 * are still preloaded when their site closes would be logged among the output of the next command.
 */
export function commandLine(): (siteDir: string, args: readonly string[]) => Promise<Finished> {
  let runner: Runner | undefined
  after(() => runner?.end())
  return async (siteDir, args) => {
    if (!runner?.isRunning()) runner = startRunner()
    return runner.run(['--site', siteDir, ...args])
  }
}

type Runner = ReturnType<typeof startRunner>

function startRunner() {
  const child = fork(RUNNER, { env: environment(), silent: true })
  const printed = collect(child)
  const closed = once(child, 'close')
  return {
    isRunning: () => child.connected,
    /** One at a time. A command that ends the process ends it with its exit code. */
    async run(args: readonly string[]): Promise<Finished> {
      const [output, errors] = [printed.output.length, printed.errors.length]
      const told = once(child, 'message')
      child.send(args)
      const [code] = await Promise.race([told, closed])
      const isComplete = () => printed.output.includes(END, output) && printed.errors.includes(END, errors)
      // The message may overtake what was printed before it.
      while (child.connected && !isComplete()) await new Promise((resolve) => setTimeout(resolve, 1))
      return { code, output: upToEnd(printed.output, output), errors: upToEnd(printed.errors, errors) }
    },
    async end(): Promise<void> {
      child.kill()
      await closed
    },
  }
}

function upToEnd(text: string, start: number): string {
  const [own = ''] = text.slice(start).split(END, 1)
  return own
}
