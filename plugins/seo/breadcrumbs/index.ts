import { createHtmlParser, type ExtensionHost, escapeHtml, type PageContext } from 'pentad'
import type { Head } from '../head/index.ts'
import type { PageHead } from '../head/page-head.ts'
import type { SeoSettings } from '../settings.ts'
import { type Step, trailOf } from './trail.ts'

const STYLE = `<style>
.breadcrumbs ol { display: flex; flex-wrap: wrap; gap: 0 .5em; margin: 0 0 1em; padding: 0; list-style: none }
.breadcrumbs li { min-width: 0; overflow-wrap: anywhere }
</style>
`

/**
 * Adds breadcrumbs to the start of the main part of a page in any theme (setting `breadcrumbs`). The structured data of
 * a page has the same items as `BreadcrumbList`.
 */
export function registerBreadcrumbs(
  host: ExtensionHost,
  { settings, head }: { settings: () => SeoSettings; head: Head },
): void {
  const { hooks } = host
  const isOn = () => settings().breadcrumbs === 'on'

  hooks.addAction('wp_head', (output, page) => {
    if (isOn() && head.of(page) && page.status === 200) output.print(STYLE)
  })
  hooks.addFilter('page_html', (html, page) => {
    const known = isOn() ? head.of(page) : undefined
    return known ? addTo(html, page, known) : html
  })

  async function addTo(html: string, page: PageContext, known: PageHead): Promise<string> {
    const { breadcrumbsHome, breadcrumbsSeparator } = settings()
    const steps = await trailOf(host, { page, head: known, home: breadcrumbsHome })
    const at = steps.length > 0 ? startOfMain(html) : undefined
    return at === undefined ? html : html.slice(0, at) + navigation(steps, breadcrumbsSeparator) + html.slice(at)
  }
}

/** Markup as in https://www.w3.org/WAI/ARIA/apg/patterns/breadcrumb/. */
function navigation(steps: readonly Step[], separator: string): string {
  const items = steps.map(({ name, url }, at) => {
    if (at === steps.length - 1) return `<li><span aria-current="page">${escapeHtml(name)}</span></li>`
    const mark = separator === '' ? '' : ` <span aria-hidden="true">${escapeHtml(separator)}</span>`
    return `<li><a href="${escapeHtml(url)}">${escapeHtml(name)}</a>${mark}</li>`
  })
  return `\n<nav class="breadcrumbs" aria-label="Breadcrumb"><ol>${items.join('')}</ol></nav>`
}

/** Where the content of `<main>` starts; themes without `<main>` get no breadcrumbs. */
function startOfMain(html: string): number | undefined {
  let start: number | undefined
  const parser = createHtmlParser({
    onopentag(name) {
      if (name !== 'main') return
      start = parser.endIndex + 1
      parser.pause()
    },
  })
  parser.end(html)
  return start
}
