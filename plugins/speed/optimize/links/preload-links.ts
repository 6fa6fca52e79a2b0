import { join } from 'node:path'
import { bundleScript } from '../../scripts/bundle.ts'
import type { Scripts } from '../../scripts/index.ts'
import type { Transform } from '../transform.ts'

const SOURCE = join(import.meta.dirname, 'preload-links.browser.js')

/**
 * Adds the script that fetches pages just before a visitor opens them. Where the page has speculation rules, browsers
 * that follow them pass it over.
 */
export function createPreloadLinks(scripts: Scripts): Transform {
  const script = scripts.publish('links', () => bundleScript(SOURCE))

  return {
    name: 'preloadLinks',
    isOn: ({ preloadLinks }) => preloadLinks === 'on',
    async run(document, _page, work) {
      const url = await script()
      if (url !== undefined) document.appendToBody(`<script src="${work.assetUrl({ url })}" defer></script>`)
    },
  }
}
