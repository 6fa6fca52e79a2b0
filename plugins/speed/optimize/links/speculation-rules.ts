import type { ExtensionHost } from 'pentad'
import type { Transform } from '../transform.ts'
import '../hooks.ts'

/** Paths that are no pages, or where a visit does something (WordPress 6.8, `wp_get_speculation_rules`). */
const EXCLUDED_PATHS = ['/wp-*.php', '/wp-admin/*', '/wp-json/*', '/wp-content/*', '/feed/*', '/*/feed/*', '/*\\?(.+)']
/** On a hover, since pages come out of the cache. WordPress, which has none, waits for the finger on the button. */
const CONFIGURATION = { mode: 'prefetch', eagerness: 'moderate' } as const

/** Tells browsers which links they may fetch beforehand; pages of signed-in users are their own affair. */
export function createSpeculationRules({ hooks }: ExtensionHost): Transform {
  return {
    name: 'speculationRules',
    isOn: ({ speculationRules }) => speculationRules === 'on',
    run(document, page) {
      const configuration = page.user ? null : hooks.applyFilters('wp_speculation_rules_configuration', CONFIGURATION)
      if (!configuration) return
      const { mode, eagerness } = configuration
      const paths = [...EXCLUDED_PATHS, ...hooks.applyFilters('wp_speculation_rules_href_exclude_paths', [], mode)]
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
      // Chromium ignores 'inline-speculation-rules' in a policy that has a hash of another script, so this one needs one too.
      const nonce = `nonce="${page.scriptNonce}"`
      // No rule may end the script.
      document.appendToBody(`<script type="speculationrules" ${nonce}>${rules.replaceAll('<', '\\u003c')}</script>`)
    },
  }
}
