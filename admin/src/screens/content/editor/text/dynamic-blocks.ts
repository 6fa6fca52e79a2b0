import {
  IconArchive,
  IconCategory,
  IconListDetails,
  IconMail,
  IconMenu2,
  IconMessages,
  IconSearch,
  IconTags,
} from '@tabler/icons-react'
import { __, sprintf } from '../../../../i18n.ts'
import { hasService } from '../../../../page-data.ts'
import { parseComment, serializeAttributes } from './block-comments.ts'
import type { InsertableBlock } from './insertable.ts'

export type DynamicSetting = { readonly name: string; readonly label: string } & (
  | { readonly kind: 'switch'; readonly default: boolean }
  | { readonly kind: 'number'; readonly default: number }
  | { readonly kind: 'text'; readonly default: string }
)

interface DynamicBlock extends Pick<InsertableBlock, 'label' | 'keywords' | 'icon'> {
  /** Attributes of a new block. */
  readonly initial?: Readonly<Record<string, unknown>>
  readonly settings: readonly DynamicSetting[]
  /** Shown in the editor below the name. */
  readonly description?: string
  /** The service that renders it. */
  readonly service?: string
}

const flag = (name: string, label: string, isOn = false): DynamicSetting => ({
  ...{ kind: 'switch', name, label, default: isOn },
})
const count = (name: string, label: string, number: number): DynamicSetting => ({
  ...{ kind: 'number', name, label, default: number },
})
const showCounts = flag('showPostCounts', __('Show post counts', 'pentad'))
const asDropdown = flag('displayAsDropdown', __('Display as dropdown', 'pentad'))

/** Blocks that the site renders for each page, by name; their content is a comment. Defaults are those of WordPress. */
const BLOCKS: Readonly<Record<string, DynamicBlock>> = {
  'latest-posts': {
    label: __('Latest posts', 'pentad'),
    keywords: __('recent widget', 'pentad'),
    icon: IconListDetails,
    settings: [
      count('postsToShow', __('Number of posts', 'pentad'), 5),
      flag('displayPostDate', __('Show date', 'pentad')),
      flag('displayPostContent', __('Show excerpt', 'pentad')),
      flag('displayFeaturedImage', __('Show featured image', 'pentad')),
    ],
  },
  'latest-comments': {
    label: __('Latest comments', 'pentad'),
    keywords: __('recent widget', 'pentad'),
    icon: IconMessages,
    initial: { displayAvatar: false },
    settings: [
      count('commentsToShow', __('Number of comments', 'pentad'), 5),
      flag('displayAvatar', __('Show avatar', 'pentad'), true),
      flag('displayDate', __('Show date', 'pentad'), true),
      flag('displayExcerpt', __('Show excerpt', 'pentad'), true),
    ],
  },
  categories: {
    label: __('Categories', 'pentad'),
    keywords: __('terms widget', 'pentad'),
    icon: IconCategory,
    settings: [showCounts, asDropdown, flag('showHierarchy', __('Show hierarchy', 'pentad'))],
  },
  'tag-cloud': {
    label: __('Tag cloud', 'pentad'),
    keywords: __('terms widget', 'pentad'),
    icon: IconTags,
    // WordPress's default sizes, 8pt to 22pt, are too small and too large next to text.
    initial: { smallestFontSize: '0.9rem', largestFontSize: '1.4rem' },
    settings: [
      count('numberOfTags', __('Number of tags', 'pentad'), 45),
      flag('showTagCounts', __('Show post counts', 'pentad')),
    ],
  },
  archives: {
    label: __('Archives', 'pentad'),
    keywords: __('months widget', 'pentad'),
    icon: IconArchive,
    settings: [showCounts, asDropdown],
  },
  search: {
    label: __('Search', 'pentad'),
    keywords: __('find widget', 'pentad'),
    icon: IconSearch,
    initial: { label: __('Search', 'pentad'), buttonText: __('Search', 'pentad') },
    settings: [
      { kind: 'text', name: 'label', label: __('Label', 'pentad'), default: 'Search' },
      { kind: 'text', name: 'placeholder', label: __('Placeholder', 'pentad'), default: '' },
      flag('showLabel', __('Show label', 'pentad'), true),
      flag('buttonUseIcon', __('Use button with icon', 'pentad')),
    ],
  },
  'pentad/contact-form': {
    label: __('Contact form', 'pentad'),
    description: __(
      'Messages are sent to the email recipient of the helpdesk or, if none is set, to the administration email address.',
      'pentad',
    ),
    keywords: __('email message', 'pentad'),
    icon: IconMail,
    service: 'ai',
    settings: [],
  },
  navigation: { label: __('Navigation', 'pentad'), keywords: '', icon: IconMenu2, settings: [] },
}

const write = (name: string, attributes: Readonly<Record<string, unknown>> = {}) =>
  `<!-- wp:${name} ${Object.keys(attributes).length > 0 ? `${serializeAttributes(attributes)} ` : ''}/-->`

const inserted = (
  id: string,
  { label, keywords, icon }: Pick<InsertableBlock, 'label' | 'keywords' | 'icon'>,
  html: string,
): InsertableBlock => ({ id, label, keywords, icon, content: { type: 'htmlBlock', attrs: { html } } })

/** The dynamic blocks of the inserter. A navigation block is a menu: see `menuBlocks`. */
export const dynamicBlocks: readonly InsertableBlock[] = Object.entries(BLOCKS)
  .filter(([name, { service }]) => name !== 'navigation' && (service === undefined || hasService(service)))
  .map(([name, block]) => inserted(name, block, write(name, block.initial)))

/** Lists its items below each other. */
const VERTICAL = { overlayMenu: 'never', layout: { type: 'flex', orientation: 'vertical' } }

/** The menu locations of the theme as blocks of the inserter. */
export const menuBlocks = (locations: readonly { readonly name: string; readonly description: string }[]) =>
  locations.map(({ name, description }) =>
    inserted(
      `menu-${name}`,
      { label: sprintf(__('Menu: %s', 'pentad'), description), keywords: __('navigation', 'pentad'), icon: IconMenu2 },
      write('navigation', { __unstableLocation: name, ...VERTICAL }),
    ),
  )

/** A dynamic block in the text. */
export interface FoundBlock {
  readonly name: string
  readonly block: DynamicBlock
  readonly attributes: Readonly<Record<string, unknown>>
}

/** The dynamic block that HTML consists of, if it is one of these. */
export function findDynamicBlock(html: string): FoundBlock | undefined {
  const [, comment = ''] = /^<!--\s+wp:([^>]*?)\s*\/-->$/.exec(html.trim()) ?? []
  const { name, attributes } = parseComment(comment)
  const block = Object.hasOwn(BLOCKS, name) ? BLOCKS[name] : undefined
  return block && { name, block, attributes }
}

/** The HTML of the block with another value of a setting. */
export function changeSetting({ name, attributes }: FoundBlock, setting: DynamicSetting, value: unknown): string {
  const { [setting.name]: _, ...others } = attributes
  return write(name, value === setting.default ? others : { ...others, [setting.name]: value })
}
