import { CONFIG_VARIABLES, configWarnings } from '../../core/config.ts'
import { type DoctorCheck, error, type Finding, ok, warning } from './types.ts'

const CHECK = 'configuration'
/** Variables that do not configure the site. */
const OTHER_VARIABLES = /^PENTAD_(?:DEBUG$|WORKERS$|TEST_)/
const DOCUMENTATION = 'The names are in docs/reference/configuration.md.'

/** Findings for invalid values. @param problems - Of `readConfig`. */
export function invalidValues(problems: readonly string[]): Finding[] {
  return problems.map((problem) => error(CHECK, problem, 'Correct the value, or remove it to use the default.'))
}

/** Unknown names in `config.json` and in the environment. */
export const checkNames: DoctorCheck = async ({ config, environment }) => {
  const unknown = Object.keys(environment)
    .filter((name) => name.startsWith('PENTAD_') && !CONFIG_VARIABLES.includes(name) && !OTHER_VARIABLES.test(name))
    .map((name) =>
      warning(CHECK, `The environment variable ${name} is unknown.`, `Correct or unset it. ${DOCUMENTATION}`),
    )
  const warnings = configWarnings(config).map((text) =>
    warning(CHECK, text, `Correct the name or path, or remove it. ${DOCUMENTATION}`),
  )
  const all = [...unknown, ...warnings]
  return all.length > 0 ? all : [ok(CHECK, `All settings are recognized; the site folder is ${config.siteDir}.`)]
}
