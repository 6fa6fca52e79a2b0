import { deprecate } from 'node:util'
import { direction, type ExtensionHost, toLanguage } from 'pentad'
import type { Assets } from '../assets/index.ts'
import { textsOf } from '../frontend/texts.ts'
import { appNames } from '../manifest/names.ts'
import type { PwaSettings } from '../settings.ts'

/** Whether any feature requires the worker. */
export function needsWorker({ offlineCache, pushPrompt, pushButton }: PwaSettings): boolean {
  return offlineCache === 'on' || pushPrompt === 'on' || pushButton === 'on'
}

const warnOfFormerName = deprecate(
  () => {},
  'The filter pwa_keeps_files was renamed to pwa_handles_files.',
  'PENTAD_PWA_KEEPS_FILES',
)

/** Whether the worker handles requests for files, by the filter and its former name. */
function handlesFiles(hooks: ExtensionHost['hooks']): boolean {
  const handles = hooks.applyFilters('pwa_handles_files', true)
  if (!hooks.hasFilter('pwa_keeps_files')) return handles
  warnOfFormerName()
  return hooks.applyFilters('pwa_keeps_files', handles)
}

/** Value of `SETTINGS` in the source of the worker. */
export async function workerSettings(
  host: ExtensionHost,
  current: PwaSettings,
  { path, assets, publicKey }: { path: string; assets: Pick<Assets, 'pathOf'>; publicKey: string },
): Promise<Readonly<Record<string, unknown>>> {
  const { title, language } = host.content.siteSettings()
  const tag = toLanguage(language)
  const { offlineTitle, offlineText, tryAgain, formKeptTitle, formKeptText } = await textsOf(host)
  return {
    path,
    restPath: new URL(host.rest.url('/')).pathname,
    isOffline: current.offlineCache === 'on',
    strategy: current.offlineCacheStrategy,
    days: current.offlineCacheExpiration,
    fallbackPath: current.offlineFallbackPage,
    startPath: current.startPath,
    excluded: current.offlineExcludedPaths,
    handlesFiles: handlesFiles(host.hooks),
    appName: appNames(current, { title, url: host.site.url }).name,
    language: tag,
    direction: direction(tag),
    icon: assets.pathOf('icon-192.png'),
    badge: assets.pathOf('monochrome-96.png'),
    publicKey,
    texts: { offlineTitle, offlineText, tryAgain, formKeptTitle, formKeptText },
  }
}
