import { isLocal } from './address.ts'
import { type DoctorCheck, type ExaminedSite, type Finding, ok, warning } from './types.ts'

const CHECK = 'security'
const USERS = { label: 'Open users', screen: 'users' }

/** Settings that are convenient in development, and risky on a public site. */
export const checkSecurity: DoctorCheck = async (site) => {
  const { __ } = site.texts
  if (isLocal(site)) return [ok(CHECK, __('The site is local; settings for public sites are not checked.'))]
  const { config, environment } = site
  const findings: Finding[] = []
  if (config.environment !== 'production')
    findings.push(
      warning(
        CHECK,
        __('A public site is running in the local environment, which accepts webhooks and caches on private networks.'),
        __('Set PENTAD_ENVIRONMENT=production'),
      ),
    )
  if (!config.disallowFileMods) {
    const message = __('Administrators can change code over HTTP, so a stolen account can run any code on the server.')
    findings.push(warning(CHECK, message, __('Set PENTAD_DISALLOW_FILE_MODS=true, and unset it only during updates.')))
  }
  if (config.logLevel === 'debug' || environment.PENTAD_DEBUG)
    findings.push(
      warning(
        CHECK,
        __('Debug mode is on: the log may contain private data.'),
        __('Set PENTAD_LOG_LEVEL=info, and unset PENTAD_DEBUG.'),
      ),
    )
  if (await hasUser(site, 'admin')) {
    const message = __('A user has the username "admin", which attackers try first.')
    findings.push(
      warning(CHECK, message, __('Create another administrator, log in as that user, and delete "admin".'), USERS),
    )
  }
  if (config.adminPassword !== undefined && (await hasUser(site))) {
    const message = __('The password of the first administrator is still configured, although it is no longer needed.')
    findings.push(warning(CHECK, message, __('Remove PENTAD_ADMIN_PASSWORD (adminPassword).')))
  }
  return findings.length > 0 ? findings : [ok(CHECK, __('The settings are suitable for a public site.'))]
}

/** Whether there is a user, or one with that name. A database that cannot be read is another check's finding. */
async function hasUser({ database }: ExaminedSite, login?: 'admin'): Promise<boolean> {
  if (database instanceof Error) return false
  const where = login === undefined ? '' : ` where login_key = '${login}'`
  const rows = await database.query(`select id from users${where} limit 1`).catch(() => [])
  return rows.length > 0
}
