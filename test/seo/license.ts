import { generateLicenseKeyPair, issueLicense } from '../../cms/license/index.ts'

const { privateKey, publicKey } = generateLicenseKeyPair()

/** Configuration of a site with an active license. */
export const LICENSED = {
  licensePublicKey: publicKey,
  licenseKey: issueLicense({ licensee: 'Ada', plan: 'pro' }, privateKey),
}
