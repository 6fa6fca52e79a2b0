import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hooks } from '../../../core/hooks/types.ts'
import { currentPage } from '../current-page.ts'
import type { PageContext } from '../types.ts'
import { tagOf } from './resolver.ts'

/** Assets and tags for the embeds of a page. */
interface Needs {
  /** Whether it contains a preview. */
  previews: boolean
  /** Origins of provider scripts. */
  readonly scripts: Set<string>
}

/** Adds to pages what their embeds need: cache tags, styles and script of previews, policy sources. */
export interface PageAssets {
  /**
   * Records that the current page shows an embed, or its fallback link. @param scripts origins of the scripts in its
   * HTML
   */
  note(embed: { readonly key: string; readonly preview: boolean; readonly scripts: readonly string[] }): void
}

export function createPageAssets(hooks: Hooks): PageAssets {
  const needs = new WeakMap<PageContext, Needs>()
  const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8').trim()
  const style = `<style>${read('preview.css')}</style>\n`
  const script = `<script>{${read('preview.browser.js')}}</script>\n`

  hooks.addAction('wp_head', function wp_embed_styles(output, page) {
    if (needs.get(page)?.previews) output.print(style)
  })
  hooks.addAction('wp_footer', function wp_embed_scripts(output, page) {
    if (needs.get(page)?.previews) output.print(script)
  })
  hooks.addFilter('content_security_policy', function wp_embed_sources(policy, page) {
    const { scripts } = needs.get(page) ?? {}
    return scripts?.size ? { ...policy, 'script-src': [...(policy['script-src'] ?? []), ...scripts] } : policy
  })

  return {
    note({ key, preview, scripts }) {
      const page = currentPage()
      if (!page) return
      page.addTags(tagOf(key))
      const known = needs.get(page) ?? { previews: false, scripts: new Set<string>() }
      known.previews ||= preview
      for (const origin of scripts) known.scripts.add(origin)
      needs.set(page, known)
    },
  }
}
