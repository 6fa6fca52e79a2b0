import { join } from 'node:path'
import {
  type ExtensionHost,
  type GeneratedWorker,
  generatedWorkerShape,
  type Scripts,
  success,
  successSchema,
} from 'pentad'
import './hooks.ts'
import type { SpeedSettings } from '../settings.ts'

/**
 * Filter of the PWA service, whose worker includes this part. A plain string, since it is declared in another plugin.
 */
const PWA_FILTER: string = 'pwa_serviceworker'
/** Filters whether its worker handles requests for files: not if this part does. */
const PWA_FILES_FILTER: string = 'pwa_handles_files'

/**
 * The service worker: built, passed through `speed_serviceworker`, written atomically and registered by public pages.
 * If another worker controls the scope, it includes this part and pages do not register this worker.
 */
export function registerServiceWorker(
  host: ExtensionHost,
  { settings, scripts }: { settings: () => SpeedSettings; scripts: Scripts },
): void {
  const { hooks, log, rest } = host
  const worker = scripts.serviceWorker()
  const build = (name: string, constants?: Readonly<Record<string, unknown>>) =>
    scripts.bundle([join(import.meta.dirname, `${name}.browser.js`)], constants)

  /** @throws RestError 500 `invalid_serviceworker`; the old one is kept */
  async function generate(): Promise<GeneratedWorker> {
    const current = settings()
    const built = await build(current.serviceWorker === 'on' ? 'service-worker' : 'self-destroying')
    return worker.write(await hooks.applyFiltersAsync('speed_serviceworker', built, current))
  }

  /** The script that registers the worker, after writing the worker. */
  const registering = scripts.publish('register', 'js', async () => {
    await generate()
    return build('register', { WORKER_PATH: worker.path })
  })

  hooks.addAction('wp_footer', (output, page) => {
    const isSwitchedOn = settings().serviceWorker === 'on'
    if (page.user !== null || page.preview || !hooks.applyFilters('speed_registers_serviceworker', isSwitchedOn)) return
    return registering().then((src) => {
      if (src !== undefined) output.print(`<script async src="${src}"></script>\n`)
    })
  })
  hooks.addFilter(PWA_FILTER, async (source: unknown) =>
    settings().serviceWorker === 'on' ? `${source}\n${await build('assets')}` : source,
  )
  hooks.addFilter(PWA_FILES_FILTER, (handles: unknown) => (settings().serviceWorker === 'on' ? false : handles))
  hooks.addAction('speed_settings_update:after', async (merged, previous) => {
    if (merged.serviceWorker === previous.serviceWorker) return
    // Cached pages still register it, and browsers check for an update when they open a page.
    await generate().catch((error) => log.error({ err: error }, 'service worker could not be generated'))
  })
  rest.registerRoute('speed/v1', {
    method: 'POST',
    path: '/service-worker/generate',
    access: 'manage_options',
    summary: 'Regenerates the service worker from the current settings.',
    response: successSchema(generatedWorkerShape),
    handler: async () => success(await generate()),
  })
}
