import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMAND, environment } from './pentad.ts'
import { INACTIVE_SERVICES, temporaryFolder } from './site-folder.ts'

/** By whether it has services, a site to copy. */
const templates = new Map<boolean, string>()

/**
 * The folder of a site that was started before. The first start of a site takes twice the processor time of the next ones: it creates tables and
 * content, and builds the product's extensions. Not for tests of that first start.
 *
 * @param options.services - Whether the site has the five services.
 * @param options.extensions - Further states for `host_extensions`.
 * @param options.config - The content of `config.json`.
 */
export function startedSite({
  services = false,
  extensions = {},
  config = {},
}: {
  services?: boolean
  extensions?: Readonly<Record<string, object>>
  config?: Readonly<Record<string, unknown>>
} = {}): string {
  const template = templates.get(services) ?? createTemplate(services)
  templates.set(services, template)
  const siteDir = temporaryFolder()
  cpSync(template, siteDir, { recursive: true })
  const file = join(siteDir, 'options.json')
  const options = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...options, host_extensions: { ...options.host_extensions, ...extensions } }))
  writeFileSync(join(siteDir, 'config.json'), JSON.stringify(config))
  return siteDir
}

function createTemplate(services: boolean): string {
  const siteDir = temporaryFolder()
  writeFileSync(join(siteDir, 'options.json'), JSON.stringify({ host_extensions: services ? {} : INACTIVE_SERVICES }))
  execFileSync(process.execPath, [COMMAND, '--site', siteDir, 'post', 'list'], { env: environment(), stdio: 'pipe' })
  return siteDir
}
