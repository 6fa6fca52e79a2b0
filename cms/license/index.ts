/** The license key of a site, and the features that require it. */
export { createLicense } from './license.ts'
export { generateLicenseKeyPair, isLicenseKey, issueLicense } from './license-key.ts'
export { registerLicenseRoutes } from './routes.ts'
