import { join } from 'node:path'
import { Command, Option } from 'commander'
import { openReadOnly } from '../../app/doctor/read-only-database.ts'
import { listServers } from '../../app/doctor/servers.ts'
import { ownCommand } from '../../app/own-command.ts'
import { isDatabaseFree } from '../../app/replacement/database-free.ts'
import { readMigrations } from '../../cms/operations/migrations.ts'
import { type Config, loadConfig } from '../../core/config.ts'
import { SITE_DATABASE } from '../../core/database/site-file.ts'
import { messageOf } from '../../core/errors.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { requireSite } from '../require-site.ts'
import { applyUpgrade } from './apply.ts'
import { applyInChild } from './apply-in-child.ts'
import { type Copy, createCopy, listCopies, removeOldCopies, restoreCopy } from './copy.ts'

interface UpgradeOptions {
  readonly copy: boolean
  readonly rollback?: string
  readonly apply?: boolean
}

/** `pentad upgrade`: moves a stopped site to the installed version, or back to its state before. */
export function upgradeCommand(): Command {
  return new Command('upgrade')
    .description("upgrade a stopped site's data to the installed version: copy, migrate, check; roll back on failure")
    .option('--rollback <copy>', 'restore the data from a copy that an earlier upgrade created')
    .option('--no-copy', 'do not create a copy; the upgrade cannot be rolled back, so create a backup yourself first')
    .addOption(new Option('--apply', 'migrate and check, in a process of its own').hideHelp())
    .action(upgrade)
}

async function upgrade({ copy: makesCopy, rollback, apply }: UpgradeOptions): Promise<void> {
  requireSite()
  if (apply) return applyUpgrade()
  const config = loadConfig()
  await requireStopped(config)
  if (rollback !== undefined) return rollBack(config, rollback)
  console.log(await describeMigrations(config))
  const copy = makesCopy ? await createCopy(config) : undefined
  if (copy) console.log(`Data copied to ${copy.folder}`)
  if (!(await applyInChild())) throw new Error(await undo(config, copy))
  await removeOldCopies(config.siteDir)
  console.log(`Upgraded to Pentad ${packageJson.version}. Start the site: ${ownCommand('start')}`)
  if (copy) console.log(`If it does not work as expected, stop it and run: ${rollbackCommand(copy)}`)
}

/** An open site would write to the database while it is copied and migrated. @throws Error */
async function requireStopped(config: Config): Promise<void> {
  const database = await openReadOnly(config)
  const servers = await listServers(database).finally(() => database.close())
  if (servers.length > 0) {
    throw new Error('The site is running. Stop it first; after a crash, wait a minute. Nothing was changed.')
  }
  if (config.databaseUrl === undefined && !isDatabaseFree(join(config.siteDir, SITE_DATABASE))) {
    throw new Error('Another process has the database of the site open. Wait until it has ended. Nothing was changed.')
  }
}

/** @throws Error if the database is from a newer version */
async function describeMigrations(config: Config): Promise<string> {
  const database = await openReadOnly(config)
  try {
    const { pending, unknown } = await readMigrations(database.kind, database.query)
    if (unknown.length > 0) {
      throw new Error(
        `The site was upgraded by a newer version of Pentad, with ${unknown.join(', ')}. Install that version, or roll back with it. Nothing was changed.`,
      )
    }
    return pending.length > 0
      ? `Migrations to apply: ${pending.join(', ')}`
      : 'All migrations have been applied to the tables of the site; those of extensions are applied when they start.'
  } finally {
    await database.close()
  }
}

/** @returns what happened, and what to do */
async function undo(config: Config, copy: Copy | undefined): Promise<string> {
  if (!copy) return 'The upgrade failed. Nothing can be rolled back: restore your own backup.'
  try {
    await restoreCopy(config, copy.folder)
    return 'The upgrade failed and was rolled back: the site’s data was restored. Install the previous version again, or fix the cause and repeat the upgrade.'
  } catch (error) {
    return `The upgrade failed, and so did the rollback: ${messageOf(error)}\nThe data from before the upgrade is in ${copy.folder}. Fix the cause, then run: ${rollbackCommand(copy)}`
  }
}

async function rollBack(config: Config, folder: string): Promise<void> {
  const copies = await listCopies(config.siteDir)
  const found = copies.find((copy) => copy.folder === folder || copy.name === folder)
  if (!found)
    throw new Error(
      `${folder} is not a copy of this site. Copies: ${copies.map(({ name }) => name).join(', ') || 'none'}`,
    )
  await restoreCopy(config, found.folder)
  console.log(`The data of ${found.name} was restored. Changes made since then were discarded.`)
}

function rollbackCommand({ name }: Copy): string {
  return ownCommand(`upgrade --rollback ${name}`)
}
