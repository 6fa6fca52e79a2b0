import { createAdvisories, describeVulnerable } from '../packages/advisories.ts'
import { PACKAGE_RECORDS, readRecords } from '../packages/records.ts'
import { packageSettings } from '../packages/settings.ts'
import { type DoctorCheck, error, ok } from './types.ts'

const CHECK = 'advisories'

/** Whether the advisory database has advisories for installed extensions; nothing if none is configured. */
export const checkAdvisories: DoctorCheck = async ({ options, texts: { __ } }) => {
  const settings = packageSettings.safeParse(options.extension_packages_settings ?? {}).data
  if (!settings || settings.advisoryDatabase === '') return []
  const advisories = createAdvisories(() => settings)
  const installed = Object.entries(readRecords(options[PACKAGE_RECORDS])).flatMap(([id, { name, version }]) =>
    name === null ? [] : { id, name, version },
  )
  const found = await advisories.ofAll(installed)
  const problems = installed.flatMap(({ id, version }, at) => {
    const known = found[at] ?? []
    if (known.length === 0) return []
    const message = `${describeVulnerable({ name: id, version }, known)}.`
    const action = { label: 'Open extension', screen: `extensions/${id}` }
    return [error(CHECK, message, __('Update or remove %s.', id), action)]
  })
  return [...problems, ok(CHECK, __('Installed packages checked for known vulnerabilities: %s.', installed.length))]
}
