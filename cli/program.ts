import { Command } from 'commander'
import packageJson from '../package.json' with { type: 'json' }

/** In the order of the help. Each is loaded when it is called: together they are a good part of what a start takes. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('./start.ts')).startCommand(),
  import: async () => (await import('./import.ts')).importCommand(),
  export: async () => (await import('./export.ts')).exportCommand(),
  'search-replace': async () => (await import('./search-replace.ts')).searchReplaceCommand(),
  user: async () => (await import('./user.ts')).userCommand(),
  post: async () => (await import('./post.ts')).postCommand(),
  media: async () => (await import('./media.ts')).mediaCommand(),
  option: async () => (await import('./option.ts')).optionCommand(),
  cache: async () => (await import('./cache.ts')).cacheCommand(),
  license: async () => (await import('./license.ts')).licenseCommand(),
  backup: async () => (await import('./backup.ts')).backupCommand(),
  seo: async () => (await import('./seo.ts')).seoCommand(),
  cron: async () => (await import('./cron.ts')).cronCommand(),
  theme: async () => (await import('./theme.ts')).themeCommand(),
  extension: async () => (await import('./extension.ts')).extensionCommand(),
}

/**
 * Runs what these arguments call, and tells on standard error why it could not. A mistake in the arguments ends the process.
 *
 * @param args - Without the program's own name.
 * @returns the exit code of the process
 */
export async function runCommand(args: readonly string[]): Promise<0 | 1> {
  try {
    const program = await createProgram(args)
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    console.error(`pentad: ${error instanceof Error ? error.message : error}`)
    if (process.env.PENTAD_DEBUG && error instanceof Error) console.error(error)
    return 1
  }
}

/**
 * The `pentad` command with what these arguments call; for help and for mistakes with all that it can do.
 *
 * @param args - Without the program's own name.
 */
async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command('pentad')
    .description(packageJson.description)
    .version(packageJson.version)
    .option('--site <dir>', 'folder of the site (default: PENTAD_SITE_DIR or ./site)')
    .showHelpAfterError()
    .configureHelp({ showGlobalOptions: true })
    .hook('preAction', (command) => {
      const { site } = command.opts<{ site?: string }>()
      if (site) process.env.PENTAD_SITE_DIR = site
    })
  const called = nameOf(args)
  const load = Object.hasOwn(COMMANDS, called) ? COMMANDS[called] : undefined
  for (const make of load ? [load] : Object.values(COMMANDS)) program.addCommand(await make())
  inheritSettings(program)
  return program
}

/** The first argument after `--site`; empty without one. */
function nameOf(args: readonly string[]): string {
  const [first = '', second] = args
  if (first === '--site') return nameOf(args.slice(second === undefined ? 1 : 2))
  return first.startsWith('--site=') ? nameOf(args.slice(1)) : first
}

/** `addCommand` hands nothing down: help after a mistake, and `--site` in every help. */
function inheritSettings(parent: Command): void {
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent)
    inheritSettings(command)
  }
}
