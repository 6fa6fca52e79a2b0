import { Button, FileButton, Group, SegmentedControl, Stack, VisuallyHidden } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useSearchParams } from 'react-router'
import { useChange, useList } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { __, _n, sprintf } from '../../i18n.ts'
import { BulkBar } from '../../parts/bulk-bar.tsx'
import { confirm } from '../../parts/confirm.tsx'
import { each } from '../../parts/each.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { useListQuery } from '../../parts/list-query.ts'
import { Page } from '../../parts/page.tsx'
import { useSelection } from '../../parts/use-selection.ts'
import { DropArea } from './drop-area.tsx'
import { MediaDetails } from './media-details.tsx'
import { MediaFilters, mediaQuery } from './media-filters.tsx'
import { MEDIA, type MediaItem, mayEdit } from './media-item.ts'
import { MediaPages } from './media-pages.tsx'
import { MediaTable } from './media-table.tsx'
import { UploadPanel } from './upload-panel.tsx'
import { startUploads } from './uploads.ts'

/** All files of the site. */
export default function MediaLibrary() {
  const query = useListQuery()
  const list = useList<MediaItem>(MEDIA, mediaQuery(query))
  const [params, setParams] = useSearchParams()
  const selection = useSelection()
  const { ids, clear } = selection
  const isFiltered = ['search', 'type', 'month'].some((name) => query.get(name) !== '')
  const upload = (files: readonly File[]) => {
    if (files.length > 0) startUploads(files)
  }
  const remove = useChange(
    (chosen: readonly (string | number)[]) =>
      each(chosen, (id) => change('DELETE', `${MEDIA}/${id}`, undefined, { query: { force: true } })),
    {
      invalidates: [MEDIA, 'host/v1/post-counts'],
      done: (count) => sprintf(_n('%d file deleted.', '%d files deleted.', count, 'pentad'), count),
    },
  )
  async function removeChosen(): Promise<void> {
    const mine = (list.data?.items ?? []).filter((item) => ids.includes(item.id) && mayEdit(item)).map(({ id }) => id)
    const isSure = await confirm({
      title: sprintf(_n('Delete %d file?', 'Delete %d files?', mine.length, 'pentad'), mine.length),
      body: __('Posts that use these files will have broken images or links. This can’t be undone.', 'pentad'),
      confirm: __('Delete', 'pentad'),
      isDestructive: true,
    })
    if (!isSure) return
    await remove.mutateAsync(mine).catch(() => undefined)
    clear()
  }
  const button = (
    <FileButton multiple onChange={upload} inputProps={{ 'aria-label': __('Files to upload', 'pentad') }}>
      {(props) => (
        <Button {...props} leftSection={<IconUpload size={16} aria-hidden />}>
          {__('Upload files', 'pentad')}
        </Button>
      )}
    </FileButton>
  )
  const empty = isFiltered ? (
    <EmptyState title={__('No files found', 'pentad')}>
      {__('Try different filters, or clear them.', 'pentad')}
    </EmptyState>
  ) : (
    <EmptyState title={__('No files yet', 'pentad')}>
      {__('Upload files with the button above, or drop them here.', 'pentad')}
    </EmptyState>
  )
  /** Keeps the current page, unlike a filter. */
  function show(name: 'item' | 'view', value: string): void {
    const next = new URLSearchParams(params)
    if (value === '') next.delete(name)
    else next.set(name, value)
    setParams(next)
  }
  const open = (item: MediaItem) => show('item', String(item.id))
  return (
    <DropArea onFiles={upload}>
      <Page title={__('Media', 'pentad')} actions={button}>
        <Stack gap="md" mih="60vh">
          <UploadPanel />
          <Group justify="space-between">
            <MediaFilters query={query} />
            <SegmentedControl
              size="xs"
              aria-label={__('View', 'pentad')}
              data={[
                { value: 'grid', label: __('Grid', 'pentad') },
                { value: 'list', label: __('List', 'pentad') },
              ]}
              value={query.get('view') === 'list' ? 'list' : 'grid'}
              onChange={(view) => show('view', view === 'list' ? view : '')}
            />
          </Group>
          <BulkBar selection={selection}>
            <Button size="xs" color="red" variant="light" onClick={removeChosen} loading={remove.isPending}>
              {__('Delete', 'pentad')}
            </Button>
          </BulkBar>
          <VisuallyHidden component="h2">{__('Files', 'pentad')}</VisuallyHidden>
          {query.get('view') === 'list' ? (
            <MediaTable {...{ list, query, selection, empty, onOpen: open }} />
          ) : (
            <MediaPages {...{ list, query, selection, empty, onOpen: open }} />
          )}
        </Stack>
      </Page>
      <MediaDetails id={Number(query.get('item')) || undefined} onClose={() => show('item', '')} />
    </DropArea>
  )
}
