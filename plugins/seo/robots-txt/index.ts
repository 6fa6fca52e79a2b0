import type { ExtensionHost } from 'pentad'
import type { SeoSettings } from '../settings.ts'
import type { Sitemap } from '../sitemap/index.ts'
import { TRAINING } from './blockable-crawlers.ts'

/** Adds custom rules, blocked AI crawlers and the sitemap URL to `robots.txt` (RFC 9309). */
export function registerRobotsTxt(
  { hooks }: ExtensionHost,
  { settings, sitemap }: { settings: () => SeoSettings; sitemap: Sitemap },
): void {
  hooks.addFilter('robots_txt', (before: unknown) => {
    // Another extension may have returned an invalid result.
    const text = typeof before === 'string' ? before : ''
    const { robotsTxt, blockedCrawlers, blockAiTraining } = settings()
    const blocked = [...new Set([...blockedCrawlers, ...(blockAiTraining === 'on' ? TRAINING : [])])]
    const url = sitemap.url()
    // Directly after the default rules: rules without a User-agent line apply to all robots, as the default ones do.
    const blocks = [text.trimEnd() + (robotsTxt === '' ? '' : `\n${robotsTxt}`)]
    if (blocked.length > 0) blocks.push([...blocked.map((name) => `User-agent: ${name}`), 'Disallow: /'].join('\n'))
    if (url !== undefined) blocks.push(`Sitemap: ${url}`)
    return `${blocks.join('\n\n')}\n`
  })
}
