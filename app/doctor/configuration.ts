import { CONFIG_VARIABLES, configWarnings } from '../../core/config.ts'
import { type DoctorCheck, type ExaminedSite, error, type Finding, ok, warning } from './types.ts'

const CHECK = 'configuration'
/** Variables that do not configure the site. */
const OTHER_VARIABLES = /^PENTAD_(?:DEBUG$|WORKERS$|TEST_)/

/** Findings for invalid values. @param problems - Of `readConfig`. */
export function invalidValues(problems: readonly string[], { __ }: ExaminedSite['texts']): Finding[] {
  return problems.map((problem) => error(CHECK, problem, __('Correct the value, or remove it to use the default.')))
}

/** Unknown names in `config.json` and in the environment. */
export const checkNames: DoctorCheck = async ({ config, environment, texts: { __ } }) => {
  const unknown = Object.keys(environment)
    .filter((name) => name.startsWith('PENTAD_') && !CONFIG_VARIABLES.includes(name) && !OTHER_VARIABLES.test(name))
    .map((name) =>
      warning(
        CHECK,
        __('The environment variable %s is unknown.', name),
        __('Correct or unset it. The names are in docs/reference/configuration.md.'),
      ),
    )
  const warnings = configWarnings(config).map((text) =>
    warning(
      CHECK,
      text,
      __('Correct the name or path, or remove it. The names are in docs/reference/configuration.md.'),
    ),
  )
  const all = [...unknown, ...warnings]
  return all.length > 0 ? all : [ok(CHECK, __('All settings are recognized; the site folder is %s.', config.siteDir))]
}
