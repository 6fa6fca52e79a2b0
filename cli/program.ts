import { Command } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import { backupCommand } from './backup.ts'
import { cronCommand } from './cron.ts'
import { extensionCommand } from './extension.ts'
import { importCommand } from './import.ts'
import { licenseCommand } from './license.ts'
import { seoCommand } from './seo.ts'
import { startCommand } from './start.ts'
import { userCommand } from './user.ts'

/** The `pentad` command with all that it can do. */
export const program = new Command('pentad')
  .description(packageJson.description)
  .version(packageJson.version)
  .option('--site <dir>', 'folder of the site (default: PENTAD_SITE_DIR or ./site)')
  .showHelpAfterError()
  .configureHelp({ showGlobalOptions: true })
  .hook('preAction', (command) => {
    const { site } = command.opts<{ site?: string }>()
    if (site) process.env.PENTAD_SITE_DIR = site
  })
  .addCommand(startCommand())
  .addCommand(importCommand())
  .addCommand(userCommand())
  .addCommand(licenseCommand())
  .addCommand(backupCommand())
  .addCommand(seoCommand())
  .addCommand(cronCommand())
  .addCommand(extensionCommand())

inheritSettings(program)

/** `addCommand` hands nothing down: help after a mistake, and `--site` in every help. */
function inheritSettings(parent: Command): void {
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent)
    inheritSettings(command)
  }
}
