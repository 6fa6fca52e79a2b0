import type { ExtensionHost } from 'pentad'
import type { Transform } from '../transform.ts'
import '../hooks.ts'

/** Paths that are not pages, or where a visit has side effects (WordPress 6.8, `wp_get_speculation_rules`). */
const EXCLUDED_PATHS = ['/wp-*.php', '/wp-admin/*', '/wp-json/*', '/wp-content/*', '/feed/*', '/*/feed/*', '/*\\?(.+)']
/** On hover, since pages are cached. WordPress, without a page cache, waits for the mouse button (`conservative`). */
const CONFIGURATION = { mode: 'prefetch', eagerness: 'moderate' } as const

/** Adds speculation rules, except for logged-in users. */
export function createSpeculationRules({ hooks }: ExtensionHost): Transform {
  const excluded = (mode: 'prefetch' | 'prerender') =>
    hooks.applyFilters('wp_speculation_rules_href_exclude_paths', [], mode)

  return {
    name: 'speculationRules',
    isOn: ({ speculationRules }) => speculationRules === 'on',
    run(document, work) {
      const configuration = work.read('wp_speculation_rules_configuration', (page) =>
        page.user ? null : hooks.applyFilters('wp_speculation_rules_configuration', CONFIGURATION),
      )
      if (!configuration) return
      const { mode, eagerness } = configuration
      const paths = [...EXCLUDED_PATHS, ...work.read('wp_speculation_rules_href_exclude_paths', () => excluded(mode))]
      const marked = mode === 'prefetch' ? ['no-prefetch'] : ['no-prefetch', 'no-prerender']
      const where = {
        and: [
          { href_matches: '/*' },
          { not: { href_matches: [...new Set(paths)] } },
          { not: { selector_matches: 'a[rel~="nofollow"], a[download]' } },
          { not: { selector_matches: marked.map((name) => `.${name}, .${name} a`).join(', ') } },
        ],
      }
      const rules = JSON.stringify({ [mode]: [{ source: 'document', where, eagerness }] })
      // Chromium ignores 'inline-speculation-rules' in a policy that contains a script hash, so a nonce is needed.
      const nonce = `nonce="${work.scriptNonce}"`
      // `<` must not end the script.
      document.appendToBody(`<script type="speculationrules" ${nonce}>${rules.replaceAll('<', '\\u003c')}</script>`)
    },
  }
}
