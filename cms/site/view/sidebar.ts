import type { Hooks } from '../../../core/hooks/types.ts'
import type { Content, Post } from '../../content/types.ts'
import type { AppearanceSettings } from '../appearance/settings.ts'
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

/** Stands for the post around the blocks where there is none, such as in an empty category; the blocks show nothing of it. */
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

/** ID of the sidebar in hooks; WordPress's default for the first one. */
const SIDEBAR = 'sidebar-1'

/** The HTML of the sidebar: the owner's blocks; empty on pages without one. */
export async function renderSidebar(
  { content, hooks }: { readonly content: Pick<Content, 'renderBlocks'>; readonly hooks: Hooks },
  page: PageContext,
  { sidebarBlocks, sidebarOnPosts }: AppearanceSettings,
): Promise<string> {
  const isShown = LISTS.has(page.kind) || (sidebarOnPosts && page.kind === 'single')
  const isActive = isShown && sidebarBlocks.trim() !== ''
  if (!hooks.applyFilters('is_active_sidebar', isActive, SIDEBAR, page)) return ''
  const [post = NO_POST] = page.posts
  const html = await content.renderBlocks(sidebarBlocks, post)
  return (await hooks.applyFiltersAsync('widget_block_content', html, page)).trim()
}
