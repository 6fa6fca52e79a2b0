import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Command } from 'commander'
import { ownCommand } from '../app/own-command.ts'
import { generateLicenseKeyPair, isLicenseKey, issueLicense } from '../cms/license/index.ts'
import { withHost } from './with-host.ts'

/** `pentad license …`: creates key pairs, issues licenses, and sets the site's license. */
export function licenseCommand(): Command {
  const license = new Command('license').description('create key pairs; issue and set license keys')
  license
    .command('keygen')
    .option('--private-key <file>', 'file for the private key', 'license-private.pem')
    .description('create a key pair for signing licenses')
    .action(keygen)
  license
    .command('issue')
    .requiredOption('--licensee <name>')
    .option('--private-key <file>', 'private key created by keygen', 'license-private.pem')
    .option('--for-site <origin>', 'only valid on this site, for example https://example.org')
    .option('--expires <date>', 'ISO 8601, for example 2027-12-31T00:00:00Z')
    .description('issue a Pro license key')
    .action(issue)
  license.command('set').argument('<key>').description('set the license key of the site').action(set)
  return license
}

function keygen({ privateKey: file }: { privateKey: string }): void {
  if (existsSync(file))
    throw new Error(`${file} already exists. Move it first, because it is needed to sign more licenses.`)
  const folder = dirname(resolve(file))
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.`)
  const { privateKey, publicKey } = generateLicenseKeyPair()
  writeFileSync(file, privateKey, { mode: 0o600, flag: 'wx' })
  console.log(`Private key written to ${file}; keep it secret.`)
  console.log(`Public key, for PENTAD_LICENSE_PUBLIC_KEY:\n  ${publicKey}`)
}

function issue(options: { licensee: string; privateKey: string; forSite?: string; expires?: string }): void {
  if (!existsSync(options.privateKey)) {
    throw new Error(`${options.privateKey} does not exist. Create it with: ${ownCommand('license keygen')}`)
  }
  const key = issueLicense(
    {
      licensee: options.licensee,
      plan: 'pro',
      ...(options.forSite && { site: options.forSite }),
      ...(options.expires && { expires: options.expires }),
    },
    readFileSync(options.privateKey, 'utf8'),
  )
  console.log(key)
}

/** Messages for inactive licenses. */
const REASONS: Readonly<Record<string, string>> = {
  no_public_key: 'the site has no public key to verify it. Set PENTAD_LICENSE_PUBLIC_KEY',
  malformed: 'it is not a license key',
  invalid_signature: 'it was not signed with the key that PENTAD_LICENSE_PUBLIC_KEY belongs to',
  foreign_site: 'it is for another site',
  expired: 'it has expired',
}

async function set(key: string): Promise<void> {
  if (!isLicenseKey(key.trim()))
    throw new Error('That is not a license key. A license key has the form <payload>.<signature>.')
  await withHost(async (host) => {
    const status = await host.license.replace(key)
    if (!status.active) {
      const reason = status.reason ?? ''
      throw new Error(`The key was saved, but is not active: ${REASONS[reason] ?? reason}.`)
    }
    console.log(
      `Pro is active for ${status.licensee}, ${status.expires ? `until ${status.expires}` : 'no expiration'}.`,
    )
  })
}
