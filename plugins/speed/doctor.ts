import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { type DoctorCheck, doctor } from 'pentad'
import { settingsSchema } from './settings.ts'

const CHECK = 'page cache'

/** Whether pages are cached, in a folder that can be written. */
const checkPageCache: DoctorCheck = async ({ config, options, texts: { __ } }) => {
  if (config.pageCache === 'off')
    return [
      doctor.warning(
        CHECK,
        __('The page cache is disabled by the configuration.'),
        __('Remove PENTAD_PAGE_CACHE (pageCache).'),
      ),
    ]
  const { data: settings } = settingsSchema.pick({ pageCache: true }).safeParse(options.speed_settings ?? {})
  if (settings?.pageCache === 'off')
    return [
      doctor.warning(
        CHECK,
        __('The page cache is off, so every page is rendered for every visitor.'),
        __('Turn it on in the admin under Performance.'),
        {
          label: 'Turn on the page cache',
          request: { method: 'PUT', path: 'speed/v1/settings', data: { settings: { pageCache: 'on' } } },
        },
      ),
    ]
  const folder = join(config.siteDir, 'cache', 'pages')
  try {
    await access(folder, constants.W_OK | constants.X_OK)
    return [doctor.ok(CHECK, __('Pages are cached.'))]
  } catch (thrown) {
    // The first cached page creates the folder.
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT')
      return [doctor.ok(CHECK, __('No pages are cached yet.'))]
    const fix = __('Run: %s', `sudo chown -R --reference=${config.siteDir} ${join(config.siteDir, 'cache')}`)
    return [doctor.warning(CHECK, __('%s is not writable, so pages are only cached in memory.', folder), fix)]
  }
}

export const checks = [checkPageCache]
