import { Stack } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Listed } from '../../api/rest.ts'
import { _n, sprintf } from '../../i18n.ts'
import type { Selection } from '../../parts/data-table.tsx'
import { formatNumber } from '../../parts/format.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { PageButtons } from '../../parts/page-buttons.tsx'
import { MediaGrid } from './media-grid.tsx'
import type { MediaItem } from './media-item.ts'

export interface MediaListProps {
  readonly list: UseQueryResult<Listed<MediaItem>>
  readonly query: { readonly page: number; setPage(page: number): void }
  readonly selection?: Selection
  readonly picked?: readonly number[]
  readonly empty: ReactNode
  readonly onOpen: (item: MediaItem) => void
}

/** A paginated grid of files. */
export function MediaPages({ list, query, selection, picked, empty, onOpen }: MediaListProps) {
  return (
    <Loaded query={list} lines={6}>
      {({ items, total, pages }) =>
        items.length === 0 ? (
          empty
        ) : (
          <Stack gap="sm" aria-busy={list.isPlaceholderData}>
            <MediaGrid items={items} onOpen={onOpen} {...(selection && { selection })} {...(picked && { picked })} />
            <PageButtons
              {...{ pages, query }}
              count={sprintf(_n('%s file', '%s files', total, 'pentad'), formatNumber(total))}
            />
          </Stack>
        )
      }
    </Loaded>
  )
}
