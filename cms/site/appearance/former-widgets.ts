import { z } from 'zod'
import { toJson } from '../../../core/options/json.ts'
import type { Options } from '../../../core/options/types.ts'

const RECORD = 'appearance_settings'

const headed = (heading: string, block: string) =>
  `<!-- wp:heading -->\n<h2 class="wp-block-heading">${heading}</h2>\n<!-- /wp:heading -->\n\n${block}`

/** The blocks of each widget. */
const WIDGETS: ReadonlyMap<string, string> = new Map([
  ['search', '<!-- wp:search {"label":"Search","showLabel":false,"buttonUseIcon":true,"buttonText":"Search"} /-->'],
  ['latest-posts', headed('Latest posts', '<!-- wp:latest-posts {"postsToShow":5,"displayPostDate":true} /-->')],
  ['categories', headed('Categories', '<!-- wp:categories {"showPostCounts":true} /-->')],
  ['tag-cloud', headed('Tags', '<!-- wp:tag-cloud /-->')],
  ['archives', headed('Archives', '<!-- wp:archives /-->')],
  [
    'latest-comments',
    headed(
      'Latest comments',
      '<!-- wp:latest-comments {"commentsToShow":4,"displayAvatar":false,"displayExcerpt":false} /-->',
    ),
  ],
])

const formerSchema = z.looseObject({ sidebarWidgets: z.array(z.string()), sidebarBlocks: z.undefined().optional() })

/** Appearance settings of 1.0.0-beta.1, whose sidebar was a list of widgets, with their blocks instead; other values unchanged. */
export function withSidebarBlocks(stored: unknown): unknown {
  const former = formerSchema.safeParse(stored).data
  if (!former) return stored
  const { sidebarWidgets, ...others } = former
  return { ...others, sidebarBlocks: sidebarWidgets.flatMap((name) => WIDGETS.get(name) ?? []).join('\n\n') }
}

/** Stores the sidebar of 1.0.0-beta.1 as blocks. */
export async function convertSidebarWidgets(options: Options): Promise<void> {
  const stored = options.get(RECORD)
  if (withSidebarBlocks(stored) === stored) return
  await options.modify(RECORD, (current = {}) => toJson(withSidebarBlocks(current), RECORD))
}
