import { Command } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import type { Commands } from './define-commands.ts'
import { pluginCommands } from './plugin-commands.ts'

/** The host's own, in the order of the help. */
const OWN: Commands = {
  start: async () => (await import('./start.ts')).startCommand(),
  dev: async () => (await import('./dev.ts')).devCommand(),
  import: async () => (await import('./import.ts')).importCommand(),
  export: async () => (await import('./export.ts')).exportCommand(),
  'search-replace': async () => (await import('./search-replace.ts')).searchReplaceCommand(),
  user: async () => (await import('./user.ts')).userCommand(),
  post: async () => (await import('./post.ts')).postCommand(),
  media: async () => (await import('./media.ts')).mediaCommand(),
  option: async () => (await import('./option.ts')).optionCommand(),
  license: async () => (await import('./license.ts')).licenseCommand(),
  cron: async () => (await import('./cron.ts')).cronCommand(),
  theme: async () => (await import('./theme.ts')).themeCommand(),
  extension: async () => (await import('./extension.ts')).extensionCommand(),
  doctor: async () => (await import('./doctor.ts')).doctorCommand(),
  upgrade: async () => (await import('./upgrade/index.ts')).upgradeCommand(),
}

/** Runs the command for these arguments, and reports errors on standard error. Invalid arguments end the process. */
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
    .option('--site <dir>', 'site folder (default: PENTAD_SITE_DIR or ./site)')
    .showHelpAfterError()
    .configureHelp({ showGlobalOptions: true })
    .hook('preAction', (command) => {
      const { site } = command.opts<{ site?: string }>()
      if (site) process.env.PENTAD_SITE_DIR = site
    })
  for (const load of await commandsFor(nameOf(args))) program.addCommand(await load())
  inheritSettings(program)
  return program
}

/** The command of that name; all there are without one. */
async function commandsFor(name: string): Promise<Commands[string][]> {
  const own = Object.hasOwn(OWN, name) ? OWN[name] : undefined
  if (own) return [own]
  const plugins = await pluginCommands()
  const called = Object.hasOwn(plugins, name) ? plugins[name] : undefined
  return called ? [called] : [...Object.values(OWN), ...Object.values(plugins)]
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
