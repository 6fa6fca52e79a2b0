/** The process of `commandLine`: runs the commands that it is sent, one after the other. */
import { runCommand } from '../../cli/program.ts'
import { END } from './command-line.ts'

process.on('message', async (args: readonly string[]) => {
  const code = await runCommand(args)
  process.stdout.write(END)
  process.stderr.write(END)
  process.send?.(code)
})
