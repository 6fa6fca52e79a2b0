import { join } from 'node:path'
import {
  bundleScript,
  type ExtensionHost,
  type GeneratedWorker,
  generatedWorkerShape,
  type Scripts,
  success,
  successAnswer,
} from 'pentad'
import './hooks.ts'
import type { SpeedSettings } from '../settings.ts'

/** Emitted by the PWA service, whose worker carries our part. A plugin of its own, so its declarations are not ours. */
const PWA_FILTER: string = 'pwa_serviceworker'
/** Asks whether its worker answers requests for files: not beside our part, which does. */
const PWA_FILES_FILTER: string = 'pwa_keeps_files'

/**
 * The service worker: built from our source, passed through `speed_serviceworker`, put in place in one stroke, and
 * registered by pages that visitors see. Where another worker has the scope, it carries our part and pages do not
 * register ours.
 */
export function registerServiceWorker(
  host: ExtensionHost,
  { settings, scripts }: { settings: () => SpeedSettings; scripts: Scripts },
): void {
  const { hooks, log, rest } = host
  const worker = scripts.serviceWorker()

  /** @throws RestError 500 `invalid_serviceworker`; then the old one stays */
  async function generate(): Promise<GeneratedWorker> {
    const current = settings()
    const built = await build(current.serviceWorker === 'on' ? 'service-worker' : 'farewell')
    return worker.write(await hooks.applyFiltersAsync('speed_serviceworker', built, current))
  }

  /** The script that registers the worker, with the worker in place. */
  const registering = scripts.publish('register', 'js', async () => {
    await generate()
    return build('register', { WORKER_PATH: worker.path })
  })

  hooks.addAction('wp_footer', async (output, page) => {
    const isSwitchedOn = settings().serviceWorker === 'on'
    if (page.user !== null || page.preview || !hooks.applyFilters('speed_registers_serviceworker', isSwitchedOn)) return
    const src = await registering()
    if (src !== undefined) output.print(`<script async src="${src}"></script>\n`)
  })
  hooks.addFilter(PWA_FILTER, async (source: unknown) =>
    settings().serviceWorker === 'on' ? `${source}\n${await build('assets')}` : source,
  )
  hooks.addFilter(PWA_FILES_FILTER, (keeps: unknown) => (settings().serviceWorker === 'on' ? false : keeps))
  hooks.addAction('speed_settings_update:after', async (merged, previous) => {
    if (merged.serviceWorker === previous.serviceWorker) return
    // Pages that are cached still register it, and browsers that have it look for a new one when they open a page.
    await generate().catch((error) => log.error({ err: error }, 'the service worker could not be made'))
  })
  rest.registerRoute('speed/v1', {
    method: 'POST',
    path: '/service-worker/generate',
    access: 'manage_options',
    summary: 'Builds the service worker from the settings as they are now.',
    answer: successAnswer(generatedWorkerShape),
    handler: async () => success(await generate()),
  })
}

const build = (name: string, constants?: Readonly<Record<string, unknown>>) =>
  bundleScript([join(import.meta.dirname, `${name}.browser.js`)], constants)
