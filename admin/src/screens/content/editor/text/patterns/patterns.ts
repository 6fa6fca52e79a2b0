import { IconStack2 } from '@tabler/icons-react'
import type { Editor, JSONContent } from '@tiptap/core'
import type { Schema } from '@tiptap/pm/model'
import type { Responses } from '../../../../../api/responses.ts'
import { change } from '../../../../../api/rest.ts'
import { isSynced, SYNC_STATUS, syncStatusOf } from '../../../types.ts'
import { isContainer } from '../blocks/insert.ts'
import type { InsertableBlock } from '../insertable.ts'
import { copiedBlocks } from '../open-content.ts'
import { createWriter } from '../write-block.ts'

export const PATTERNS = 'wp/v2/blocks'

export type Pattern = Responses['Patterns']

/** The patterns as blocks of the inserter. */
export const insertablePatterns = (patterns: readonly Pattern[]): readonly InsertableBlock[] =>
  patterns.map((pattern) => ({
    id: `pattern-${pattern.id}`,
    label: pattern.title.raw ?? '',
    keywords: '',
    icon: IconStack2,
    content: { pattern },
  }))

/** A copy of the blocks of a pattern; of a synced one a reference, so that it changes with the pattern. */
export function blocksOf({ id, content, wp_pattern_sync_status: sync }: Pattern, schema: Schema): JSONContent[] {
  if (isSynced(sync)) return [{ type: 'htmlBlock', attrs: { html: `<!-- wp:block {"ref":${id}} /-->` } }]
  return copiedBlocks(content.raw, schema).map((node) => node.toJSON())
}

/** Stores the selected blocks as a pattern; without a selection, the block at the cursor. */
export function createPattern({ state, schema }: Editor, title: string, synced: boolean): Promise<Pattern> {
  const { $from, $to } = state.selection
  const range = $from.blockRange($to, isContainer)
  const write = createWriter(schema)
  const blocks = range?.parent.content.content.slice(range.startIndex, range.endIndex) ?? []
  const content = blocks.map((block) => write(block, 'blocks')).join('\n\n')
  return change<Pattern>('POST', PATTERNS, {
    ...{ title, content, status: 'publish' },
    meta: { [SYNC_STATUS]: syncStatusOf(synced) },
  })
}
