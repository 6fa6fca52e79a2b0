import { generateLicenceKeyPair, issueLicence } from '../../core/auth/licence.ts'

const { privateKey, publicKey } = generateLicenceKeyPair()

/** Configuration of a site with an active licence. */
export const LICENSED = {
  licensePublicKey: publicKey,
  licenseKey: issueLicence({ licensee: 'Ada', plan: 'pro' }, privateKey),
}
