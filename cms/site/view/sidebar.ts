import { escapeHtml } from '../../../core/http/escape-html.ts'
import type { Content, Post } from '../../content/types.ts'
import { type AppearanceSettings, WIDGETS } from '../appearance/settings.ts'
import type { PageContext } from '../types.ts'

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

/** Stands for the post around the widgets where there is none, such as in an empty category; the widgets show nothing of it. */
const NO_POST: Post = {
  ...{
    id: 0,
    type: '',
    status: '',
    authorId: 0,
    parentId: 0,
    menuOrder: 0,
    slug: '',
    path: '',
    title: '',
    content: '',
  },
  ...{ excerpt: '', password: '', commentStatus: 'closed', pingStatus: 'closed', commentCount: 0, sticky: false },
  ...{ template: '', mimeType: '', guid: '', date: '', dateGmt: '', modified: '', modifiedGmt: '' },
}

/** The HTML of the sidebar: the chosen widgets, rendered as blocks; empty on pages without one. */
export async function renderSidebar(
  content: Pick<Content, 'renderBlocks'>,
  page: PageContext,
  { sidebarWidgets, sidebarOnPosts }: AppearanceSettings,
): Promise<string> {
  const isShown = LISTS.has(page.kind) || (sidebarOnPosts && page.kind === 'single')
  if (!isShown) return ''
  const [post = NO_POST] = page.posts
  const widgets: string[] = []
  // In sequence, so that filters of different blocks do not interleave.
  for (const chosen of sidebarWidgets) {
    const widget = WIDGETS.find(({ name }) => name === chosen)
    if (!widget) continue
    const html = await content.renderBlocks(widget.blocks, post)
    const heading = widget.heading ? `<h2 class="widget-title">${escapeHtml(widget.heading)}</h2>` : ''
    if (html.trim() !== '') widgets.push(`<section class="widget">${heading}${html}</section>`)
  }
  return widgets.join('\n')
}
