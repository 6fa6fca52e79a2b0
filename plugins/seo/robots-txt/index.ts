import type { ExtensionHost } from 'pentad'
import type { SeoSettings } from '../settings.ts'
import type { Sitemap } from '../sitemap/index.ts'
import { TRAINING } from './blockable-crawlers.ts'

/** Adds the owner's rules, unwanted AI crawlers and the address of the sitemap to `robots.txt` (RFC 9309). */
export function registerRobotsTxt(
  { hooks }: ExtensionHost,
  { settings, sitemap }: { settings: () => SeoSettings; sitemap: Sitemap },
): void {
  hooks.addFilter('robots_txt', (before: unknown) => {
    // Another extension may have answered something else.
    const text = typeof before === 'string' ? before : ''
    const { robotsTxt, blockedCrawlers, blockAiTraining } = settings()
    const blocked = [...new Set([...blockedCrawlers, ...(blockAiTraining === 'on' ? TRAINING : [])])]
    const url = sitemap.url()
    // Right after core's: rules without a User-agent are for all robots, as core's are.
    const blocks = [text.trimEnd() + (robotsTxt === '' ? '' : `\n${robotsTxt}`)]
    if (blocked.length > 0) blocks.push([...blocked.map((name) => `User-agent: ${name}`), 'Disallow: /'].join('\n'))
    if (url !== undefined) blocks.push(`Sitemap: ${url}`)
    return `${blocks.join('\n\n')}\n`
  })
}
