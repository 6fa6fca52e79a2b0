import { Anchor, Group } from '@mantine/core'
import { __ } from '../../i18n.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { formatBytes, formatDate } from '../../parts/format.ts'
import type { ListQuery } from '../../parts/list-query.ts'
import { kindOf, type MediaItem, nameOf } from './media-item.ts'
import type { MediaListProps } from './media-pages.tsx'
import { Thumbnail } from './thumbnail.tsx'

/** The files as a table. */
export function MediaTable({ list, query, selection, empty, onOpen }: MediaListProps & { query: ListQuery }) {
  const columns: readonly Column<MediaItem>[] = [
    {
      title: __('File', 'pentad'),
      sort: 'title',
      cell: (item) => (
        <Group gap="sm" wrap="nowrap">
          <Thumbnail item={item} size={44} />
          <Anchor component="button" type="button" size="sm" ta="start" onClick={() => onOpen(item)}>
            <bdi>{nameOf(item)}</bdi>
          </Anchor>
        </Group>
      ),
    },
    { title: __('Alternative text', 'pentad'), cell: ({ alt_text: text }) => text || '–', isMinor: true },
    { title: __('File type', 'pentad'), cell: kindOf, isMinor: true },
    {
      title: __('File size', 'pentad'),
      align: 'end',
      cell: ({ media_details: { filesize } }) => (filesize === undefined ? '–' : formatBytes(filesize)),
    },
    { title: __('Uploaded on', 'pentad'), sort: 'date', isWhole: true, cell: (item) => formatDate(item.date_gmt) },
  ]
  return (
    <DataTable
      label={__('Files', 'pentad')}
      rowId={({ id }) => id}
      rowName={nameOf}
      {...{ list, columns, query, empty }}
      {...(selection && { selection })}
    />
  )
}
