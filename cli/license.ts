import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Command } from 'commander'
import { generateLicenceKeyPair, isLicenceKey, issueLicence } from '../core/auth/licence.ts'
import { withHost } from './with-host.ts'

/** `pentad license …`: makes key pairs, issues licences and sets the site's. */
export function licenseCommand(): Command {
  const license = new Command('license').description('make, issue and set licence keys')
  license
    .command('keygen')
    .option('--private-key <file>', 'where the private key goes', 'license-private.pem')
    .description('make the key pair that licences are signed with')
    .action(keygen)
  license
    .command('issue')
    .requiredOption('--licensee <name>')
    .option('--private-key <file>', 'made by keygen', 'license-private.pem')
    .option('--for-site <origin>', 'only valid on this site, for example https://example.org')
    .option('--expires <date>', 'ISO 8601, for example 2027-12-31T00:00:00Z')
    .description('issue a Pro licence key')
    .action(issue)
  license.command('set').argument('<key>').description('set the licence key of the site').action(set)
  return license
}

function keygen({ privateKey: file }: { privateKey: string }): void {
  if (existsSync(file)) throw new Error(`${file} exists. Move it away first: licences signed with it depend on it.`)
  const folder = dirname(resolve(file))
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.`)
  const { privateKey, publicKey } = generateLicenceKeyPair()
  writeFileSync(file, privateKey, { mode: 0o600, flag: 'wx' })
  console.log(`Private key written to ${file}; keep it secret.`)
  console.log(`Public key, for PENTAD_LICENSE_PUBLIC_KEY:\n  ${publicKey}`)
}

function issue(options: { licensee: string; privateKey: string; forSite?: string; expires?: string }): void {
  if (!existsSync(options.privateKey)) {
    throw new Error(`${options.privateKey} does not exist. Make it with: npm run pentad -- license keygen`)
  }
  const key = issueLicence(
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

/** Why a licence is not active (contract 2.4), in words. */
const REASONS: Readonly<Record<string, string>> = {
  no_public_key: 'the site has no public key to check it with. Set PENTAD_LICENSE_PUBLIC_KEY',
  malformed: 'it is no licence key',
  invalid_signature: 'it was not signed with the key that PENTAD_LICENSE_PUBLIC_KEY belongs to',
  foreign_site: 'it is for another site',
  expired: 'it has expired',
}

async function set(key: string): Promise<void> {
  if (!isLicenceKey(key.trim())) throw new Error('That is no licence key. It has the form <payload>.<signature>.')
  await withHost(async (host) => {
    const status = await host.auth.licence.set(key)
    if (!status.active) {
      const reason = status.reason ?? ''
      throw new Error(`The key is stored, but not active: ${REASONS[reason] ?? reason}.`)
    }
    console.log(`Pro is active for ${status.licensee}, ${status.expires ? `until ${status.expires}` : 'without end'}.`)
  })
}
