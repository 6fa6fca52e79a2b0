import { escapeHtml } from '../../../core/http/escape-html.ts'
import type { Content } from '../../content/types.ts'
import { type AppearanceSettings, WIDGETS, type WidgetName } from '../appearance/settings.ts'
import type { PageContext } from '../types.ts'

/** Headings of the widgets; a search form needs none. */
const HEADINGS: Readonly<Record<WidgetName, string>> = {
  search: '',
  'latest-posts': 'Latest posts',
  categories: 'Categories',
  'tag-cloud': 'Tags',
  archives: 'Archives',
  'latest-comments': 'Latest comments',
}

/** Pages with lists of posts. */
const LISTS: ReadonlySet<string> = new Set([
  'home',
  'category',
  'tag',
  'taxonomy',
  'post-type',
  'author',
  'date',
  'search',
])

/** The HTML of the sidebar: the chosen widgets, rendered as blocks; empty on pages without one. */
export async function renderSidebar(
  content: Pick<Content, 'renderBlocks'>,
  page: PageContext,
  { sidebarWidgets, sidebarOnPosts }: AppearanceSettings,
): Promise<string> {
  const [post] = page.posts
  const isShown = LISTS.has(page.kind) || (sidebarOnPosts && page.kind === 'single')
  if (!post || !isShown) return ''
  const widgets: string[] = []
  // In sequence, so that filters of different blocks do not interleave.
  for (const name of sidebarWidgets) {
    const html = await content.renderBlocks(WIDGETS[name], post)
    const heading = HEADINGS[name] ? `<h2 class="widget-title">${escapeHtml(HEADINGS[name])}</h2>` : ''
    if (html.trim() !== '') widgets.push(`<section class="widget">${heading}${html}</section>`)
  }
  return widgets.join('\n')
}
