import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transform } from '../transform.ts'

const SOURCE = join(import.meta.dirname, 'preload-links.browser.js')

/**
 * Adds the script that fetches pages just before a visitor opens them. Where the page has speculation rules, browsers
 * that follow them pass it over.
 */
export function createPreloadLinks(): Transform {
  const source = readFile(SOURCE, 'utf8')
  // Who awaits it hears of a failure.
  source.catch(() => {})

  return {
    name: 'preloadLinks',
    isOn: ({ preloadLinks }) => preloadLinks === 'on',
    async run(document, _page, work) {
      const code = await source
      const script = work.asset({
        key: `links ${hash('sha256', code, 'hex')}`,
        type: 'js',
        source: '',
        async make() {
          const { transform } = await import('esbuild')
          const { code: minified } = await transform(code, { minify: true, format: 'iife', target: 'es2020' })
          return { name: 'links', extension: 'js', content: minified, originalSize: Buffer.byteLength(code) }
        },
      })
      if (script) document.appendToBody(`<script src="${work.assetUrl(script)}" defer></script>`)
    },
  }
}
