import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleScript, type ExtensionHost, type PageContext, type Scripts } from 'pentad'
import type { Push } from '../push/index.ts'
import type { PwaSettings } from '../settings.ts'
import type { ServiceWorker } from '../worker/index.ts'
import { pageSettings } from './page-settings.ts'

const sourceOf = (file: string) => join(import.meta.dirname, 'source', file)

/**
 * Prints the front-end script at the end of every page, with its settings in a block of data. Nothing in it is one
 * visitor's: pages may be cached.
 */
export function registerFrontend(
  host: ExtensionHost,
  parts: { settings: () => PwaSettings; scripts: Scripts; worker: ServiceWorker; push: Push },
): void {
  const { hooks } = host
  const { settings, scripts, worker, push } = parts
  const script = scripts.publish('frontend', 'js', () => bundleScript([sourceOf('frontend.browser.js')]))
  const transitions = scripts.publish('transitions', 'css', () => readFile(sourceOf('smooth-transitions.css'), 'utf8'))

  hooks.addAction('wp_head', async (output) => {
    // A style sheet of its own: a page fades only if it says so before it is drawn.
    const href = settings().smoothTransitions === 'on' ? await transitions() : undefined
    if (href !== undefined) output.print(`<link rel="stylesheet" href="${href}">\n`)
  })
  hooks.addAction('wp_footer', async (output, page) => {
    if (page.preview) return
    const [src, path] = await Promise.all([script(), worker.registered()])
    if (src === undefined) return
    // Nobody subscribes without a worker; where the key can't be read there is none.
    const publicKey = path === undefined ? '' : await push.publicKey()
    const data = JSON.stringify(pageSettings(host, settings(), { page, worker: path, publicKey }))
    output.print(
      `<script type="application/json" id="pwa-settings">${data.replaceAll('<', '\\u003c')}</script>\n` +
        `<script async src="${src}"></script>\n`,
    )
  })
  hooks.addFilter('wp_headers', markPersonal, Number.MAX_SAFE_INTEGER)
}

/** An answer with a cookie is one visitor's. Browsers hide cookies from service workers, which would keep it. */
function markPersonal(headers: Readonly<Record<string, string>>, _page: PageContext): Readonly<Record<string, string>> {
  const names = Object.keys(headers)
  if (!names.some((name) => name.toLowerCase() === 'set-cookie')) return headers
  const kept = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'cache-control')
  return { ...Object.fromEntries(kept), 'Cache-Control': 'private, no-store' }
}
