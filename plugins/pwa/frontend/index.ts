import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExtensionHost, PageContext, Scripts } from 'pentad'
import type { Push } from '../push/index.ts'
import type { PwaSettings } from '../settings.ts'
import type { ServiceWorker } from '../worker/index.ts'
import { pageSettings } from './page-settings.ts'
import { textsOf } from './texts.ts'

const sourceOf = (file: string) => join(import.meta.dirname, 'source', file)

/**
 * Prints the front-end script and its settings at the end of every page. Contains no personal data because pages may be
 * cached.
 */
export function registerFrontend(
  host: ExtensionHost,
  parts: { settings: () => PwaSettings; scripts: Scripts; worker: ServiceWorker; push: Push },
): void {
  const { hooks, rest } = host
  const { settings, scripts, worker, push } = parts
  const script = scripts.publish('frontend', 'js', () => scripts.bundle([sourceOf('frontend.browser.js')]))
  const transitions = scripts.publish('transitions', 'css', () => readFile(sourceOf('smooth-transitions.css'), 'utf8'))

  /** For blog posts and for other pages: the settings as JSON, and everything that they depend on, compared by identity. */
  const printed = new Map<boolean, { readonly inputs: readonly unknown[]; readonly json: string }>()

  async function settingsJson(page: PageContext, worker: string | undefined, publicKey: string): Promise<string> {
    const isPost = page.kind === 'single' && page.post?.type === 'post'
    const texts = await textsOf(host)
    const [current, api] = [settings(), rest.url('/pwa/v1')]
    const inputs = [current, texts, api, worker, publicKey]
    const known = printed.get(isPost)
    if (known?.inputs.every((input, at) => input === inputs[at])) return known.json
    const all = pageSettings(current, { api, texts, isPost, worker, publicKey })
    const json = JSON.stringify(all).replaceAll('<', '\\u003c')
    printed.set(isPost, { inputs, json })
    return json
  }

  hooks.addAction('wp_head', (output) => {
    if (settings().smoothTransitions === 'off') return
    // A separate style sheet: view transitions must be enabled before the first paint.
    return transitions().then((href) => {
      if (href !== undefined) output.print(`<link rel="stylesheet" href="${href}">\n`)
    })
  })
  hooks.addAction('wp_footer', async (output, page) => {
    if (page.preview) return
    const [src, path] = await Promise.all([script(), worker.registered()])
    if (src === undefined) return
    // Subscribing requires a worker, and there is none if the key cannot be read.
    const publicKey = path === undefined ? '' : await push.publicKey()
    const json = await settingsJson(page, path, publicKey)
    output.print(
      `<script type="application/json" id="pwa-settings">${json}</script>\n` + `<script async src="${src}"></script>\n`,
    )
  })
  hooks.addFilter('wp_headers', markPersonal, Number.MAX_SAFE_INTEGER)
}

/** Marks responses that set a cookie as private: service workers cannot see cookies and would cache them. */
function markPersonal(headers: Readonly<Record<string, string>>, _page: PageContext): Readonly<Record<string, string>> {
  const names = Object.keys(headers)
  if (!names.some((name) => name.toLowerCase() === 'set-cookie')) return headers
  const kept = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'cache-control')
  return { ...Object.fromEntries(kept), 'Cache-Control': 'private, no-store' }
}
