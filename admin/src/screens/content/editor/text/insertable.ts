import {
  IconArrowsMaximize,
  IconBlockquote,
  IconBraces,
  IconChevronsDown,
  IconCode,
  IconColumns,
  IconFile,
  IconH2,
  IconH3,
  IconH4,
  IconLayoutGrid,
  IconLink,
  IconList,
  IconListNumbers,
  IconMusic,
  IconPhoto,
  IconPilcrow,
  IconQuote,
  IconSeparatorHorizontal,
  IconTable,
  IconVideo,
  IconWorld,
} from '@tabler/icons-react'
import type { JSONContent } from '@tiptap/core'
import type { ComponentType } from 'react'
import type { Responses } from '../../../../api/responses.ts'
import { __ } from '../../../../i18n.ts'
import { can } from '../../../../page-data.ts'
import type { MediaItem } from '../../../media/media-item.ts'
import * as blocks from './blocks/new-blocks.ts'

/** Files that a block is made of. */
export interface WantedFiles {
  readonly accept?: 'image' | 'video' | 'audio'
  readonly multiple?: boolean
  readonly create: (items: readonly MediaItem[]) => readonly JSONContent[]
}

export interface StoredPattern {
  readonly pattern: Responses['Patterns']
}

export interface InsertableBlock {
  readonly id: string
  readonly label: string
  /** Other words that find it. */
  readonly keywords: string
  readonly icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>
  /** The new block, the files to select first, a stored pattern, or `url` for a dialog that asks for one. */
  readonly content: JSONContent | WantedFiles | StoredPattern | 'url'
}

const mediaBlocks: readonly InsertableBlock[] = [
  {
    id: 'image',
    label: __('Image', 'pentad'),
    keywords: __('picture photo', 'pentad'),
    icon: IconPhoto,
    content: { accept: 'image', create: (items) => items.map(blocks.image) },
  },
  {
    id: 'gallery',
    label: __('Gallery', 'pentad'),
    keywords: __('images photos grid', 'pentad'),
    icon: IconLayoutGrid,
    content: { accept: 'image', multiple: true, create: (items) => [blocks.gallery(items)] },
  },
  {
    id: 'video',
    label: __('Video', 'pentad'),
    keywords: __('movie film', 'pentad'),
    icon: IconVideo,
    content: { accept: 'video', create: (items) => items.map((item) => blocks.player('video', item)) },
  },
  {
    id: 'audio',
    label: __('Audio', 'pentad'),
    keywords: __('music sound podcast', 'pentad'),
    icon: IconMusic,
    content: { accept: 'audio', create: (items) => items.map((item) => blocks.player('audio', item)) },
  },
  {
    id: 'file',
    label: __('File', 'pentad'),
    keywords: __('document download PDF', 'pentad'),
    icon: IconFile,
    content: { create: (items) => items.map(blocks.file) },
  },
  {
    id: 'cover',
    label: __('Cover', 'pentad'),
    keywords: __('background hero banner', 'pentad'),
    icon: IconArrowsMaximize,
    content: { accept: 'image', create: (items) => items.map(blocks.cover) },
  },
]

/** The blocks of the inserter, in the order of WordPress's. */
export const insertableBlocks: readonly InsertableBlock[] = [
  {
    id: 'paragraph',
    label: __('Paragraph', 'pentad'),
    keywords: __('text', 'pentad'),
    icon: IconPilcrow,
    content: { type: 'paragraph' },
  },
  {
    id: 'heading-2',
    label: __('Heading 2', 'pentad'),
    keywords: __('title', 'pentad'),
    icon: IconH2,
    content: blocks.heading(2),
  },
  {
    id: 'heading-3',
    label: __('Heading 3', 'pentad'),
    keywords: __('subtitle', 'pentad'),
    icon: IconH3,
    content: blocks.heading(3),
  },
  {
    id: 'heading-4',
    label: __('Heading 4', 'pentad'),
    keywords: __('subtitle', 'pentad'),
    icon: IconH4,
    content: blocks.heading(4),
  },
  {
    id: 'bulleted-list',
    label: __('Bulleted list', 'pentad'),
    keywords: __('points items', 'pentad'),
    icon: IconList,
    content: blocks.list('bulletList'),
  },
  {
    id: 'numbered-list',
    label: __('Numbered list', 'pentad'),
    keywords: __('steps ordered', 'pentad'),
    icon: IconListNumbers,
    content: blocks.list('orderedList'),
  },
  {
    id: 'quote',
    label: __('Quote', 'pentad'),
    keywords: __('citation', 'pentad'),
    icon: IconBlockquote,
    content: blocks.quote,
  },
  {
    id: 'pullquote',
    label: __('Pull quote', 'pentad'),
    keywords: __('citation highlight', 'pentad'),
    icon: IconQuote,
    content: blocks.pullquote,
  },
  ...(can('upload_files', 'edit_posts') ? mediaBlocks : []),
  {
    id: 'embed',
    label: __('Embed', 'pentad'),
    keywords: 'YouTube Vimeo Spotify URL',
    icon: IconWorld,
    content: 'url',
  },
  {
    id: 'buttons',
    label: __('Buttons', 'pentad'),
    keywords: __('link', 'pentad'),
    icon: IconLink,
    content: blocks.buttons,
  },
  {
    id: 'columns',
    label: __('Columns', 'pentad'),
    keywords: __('layout', 'pentad'),
    icon: IconColumns,
    content: blocks.columns,
  },
  {
    id: 'table',
    label: __('Table', 'pentad'),
    keywords: __('rows cells', 'pentad'),
    icon: IconTable,
    content: blocks.table(),
  },
  {
    id: 'separator',
    label: __('Separator', 'pentad'),
    keywords: __('horizontal line divider', 'pentad'),
    icon: IconSeparatorHorizontal,
    content: blocks.separator,
  },
  {
    id: 'details',
    label: __('Details', 'pentad'),
    keywords: __('accordion toggle FAQ', 'pentad'),
    icon: IconChevronsDown,
    content: blocks.details,
  },
  { id: 'code', label: __('Code', 'pentad'), keywords: __('program', 'pentad'), icon: IconCode, content: blocks.code },
  { id: 'html', label: __('HTML', 'pentad'), keywords: 'iframe', icon: IconBraces, content: blocks.html },
]

/** The blocks whose name or keywords contain all words; names that start with them are first. */
export function searchBlocks(search: string, blocks: readonly InsertableBlock[]): readonly InsertableBlock[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = blocks.filter(({ label, keywords }) =>
    words.every((word) => `${label} ${keywords}`.toLowerCase().includes(word)),
  )
  const rank = ({ label }: InsertableBlock) => (label.toLowerCase().startsWith(words[0] ?? '') ? 0 : 1)
  return found.toSorted((one, other) => rank(one) - rank(other))
}
