import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { generateLicenceKeyPair, issueLicence } from '../core/auth/licence.ts'
import { withHost } from './with-host.ts'

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
  const { privateKey, publicKey } = generateLicenceKeyPair()
  writeFileSync(file, privateKey, { mode: 0o600, flag: 'wx' })
  console.log(`Private key written to ${file}; keep it secret.`)
  console.log(`Public key, for PENTAD_LICENSE_PUBLIC_KEY:\n  ${publicKey}`)
}

function issue(options: { licensee: string; privateKey: string; forSite?: string; expires?: string }): void {
  if (!existsSync(options.privateKey)) {
    throw new Error(`${options.privateKey} does not exist. Make it with: pentad license keygen`)
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

async function set(key: string): Promise<void> {
  await withHost(async (host) => {
    const status = await host.auth.licence.set(key)
    if (!status.active) throw new Error(`The key is stored, but not active: ${status.reason}`)
    console.log(`Pro is active for ${status.licensee}, ${status.expires ? `until ${status.expires}` : 'without end'}.`)
  })
}
