import { join } from 'node:path'
import type { Scripts } from 'pentad'
import type { Transform } from '../transform.ts'

const SOURCE = join(import.meta.dirname, 'preload-links.browser.js')

/**
 * Adds the script that prefetches pages just before a visitor opens them. Browsers that support the page's speculation
 * rules skip it.
 */
export function createPreloadLinks(scripts: Scripts): Transform {
  const script = scripts.publish('links', 'js', () => scripts.bundle([SOURCE]))

  return {
    name: 'preloadLinks',
    isOn: ({ preloadLinks }) => preloadLinks === 'on',
    async run(document, work) {
      const url = await work.read('preload-links', script)
      if (url === undefined) return
      document.appendToBody(`<script nonce="${work.scriptNonce}" src="${work.assetUrl({ url })}" defer></script>`)
    },
  }
}
