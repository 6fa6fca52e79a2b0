import { createVault } from '../../core/options/secrets.ts'
import type { JoiningHost } from '../../core/types.ts'
import { licenseView } from './extension-view.ts'
import { createLicense, registerLicenseRoutes } from './index.ts'
import type { License } from './types.ts'

/** Updates everything that requires a license when the license changes. */
export async function joinLicense(host: JoiningHost): Promise<License> {
  const { options, hooks, config, log, rest, extensions } = host
  const license = await createLicense({ options, vault: createVault(host.siteKey), hooks, config, log })
  host.onClose(license.close)
  host.useLicense(() => license.active)
  hooks.addAction('license_changed', () => extensions.followLicense())
  host.addView(licenseView(license))
  registerLicenseRoutes(rest, license)
  return license
}
