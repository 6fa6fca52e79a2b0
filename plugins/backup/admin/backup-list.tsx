import { Anchor, Badge, Button, Group, Menu, Stack, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useList } from 'pentad/admin/api/query.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { type Column, DataTable } from 'pentad/admin/parts/data-table.tsx'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { FilterSelect } from 'pentad/admin/parts/filter-select.tsx'
import { formatBytes, formatTime } from 'pentad/admin/parts/format.ts'
import { useListQuery } from 'pentad/admin/parts/list-query.ts'
import { SearchField } from 'pentad/admin/parts/search-field.tsx'
import { Link } from 'react-router'
import { downloadUrl } from './download.ts'
import { CATEGORY_TEXTS, TYPES, typeFilter, typeOf } from './labels.ts'
import type { BackupRecord } from './types.ts'
import { useLocations, useRemoveBackup } from './use-backup.ts'

const PER_PAGE = 20

/** All backups, in every location. */
export function BackupList({ isBusy }: { isBusy: boolean }) {
  const query = useListQuery()
  const filters = { kind: query.get('kind'), location: query.get('location'), search: query.get('search') }
  const isFiltered = Object.values(filters).some((value) => value !== '')
  const { kind, ...others } = filters
  const list = useList<BackupRecord>('backup/v1/backup/fetch', {
    ...{ page: query.page, perPage: PER_PAGE },
    ...{ ...typeFilter(kind), ...others },
  })
  // The placeholder data of a filter that was just cleared does not show whether there are backups.
  const isEmpty = !isFiltered && !list.isPlaceholderData && list.data?.total === 0
  const locations = useLocations()
  const titleOf = (id: string) => locations.find((location) => location.id === id)?.title ?? id
  const columns: readonly Column<BackupRecord>[] = [
    {
      title: __('Title', 'pentad'),
      cell: ({ id, title, keepForever, signed }) => (
        <Group gap="xs">
          <Anchor component={Link} to={`/backup/list/${id}`} size="sm" fw={600}>
            {title}
          </Anchor>
          {keepForever && (
            <Badge size="sm" variant="light">
              {__('Kept forever', 'pentad')}
            </Badge>
          )}
          {!signed && (
            <Badge size="sm" variant="light" color="yellow.9">
              {__('Not signed by this site', 'pentad')}
            </Badge>
          )}
        </Group>
      ),
    },
    { title: __('Created', 'pentad'), isWhole: true, cell: ({ date }) => formatTime(date) },
    { title: __('Type', 'pentad'), isWhole: true, cell: typeOf },
    {
      title: __('Contents', 'pentad'),
      isMinor: true,
      cell: ({ contents }) => (
        <Text size="sm">
          {contents.length === 5
            ? __('Everything', 'pentad')
            : contents.map((category) => CATEGORY_TEXTS[category].label).join(', ')}
        </Text>
      ),
    },
    { title: __('Location', 'pentad'), cell: ({ location }) => titleOf(location) },
    { title: __('Size', 'pentad'), align: 'end', cell: ({ size }) => formatBytes(size) },
  ]
  return (
    <Stack gap="sm" component="section" aria-label={__('Backups', 'pentad')}>
      {!isEmpty && (
        <Group gap="sm">
          <SearchField label={__('Search titles', 'pentad')} query={query} />
          <FilterSelect
            label={__('Type', 'pentad')}
            all={__('All types', 'pentad')}
            name="kind"
            query={query}
            data={Object.entries(TYPES).map(([value, label]) => ({ value, label }))}
          />
          <FilterSelect
            label={__('Location', 'pentad')}
            all={__('All locations', 'pentad')}
            name="location"
            query={query}
            data={locations
              .filter(({ configured, backups }) => configured || backups > 0)
              .map(({ id, title }) => ({ value: id, label: title }))}
          />
        </Group>
      )}
      <DataTable
        label={__('Backups', 'pentad')}
        list={list}
        query={query}
        rowId={({ id }) => id}
        columns={columns}
        actions={(record) => <RowActions record={record} />}
        empty={
          isFiltered ? (
            <EmptyState
              title={__('No backups match your filters', 'pentad')}
              action={
                <Button variant="default" onClick={() => query.set({ kind: '', location: '', search: '' })}>
                  {__('Clear filters', 'pentad')}
                </Button>
              }
            />
          ) : (
            <EmptyState title={__('No backups yet', 'pentad')}>
              {isBusy
                ? __('It appears here when it is complete.', 'pentad')
                : __('Create the first backup with the button above, or upload an archive below.', 'pentad')}
            </EmptyState>
          )
        }
      />
    </Stack>
  )
}

function RowActions({ record }: { record: BackupRecord }) {
  const { remove, isRemoving } = useRemoveBackup(record)
  return (
    <>
      <Button component={Link} to={`/backup/restore/${record.id}`} size="xs" variant="default">
        {__('Restore', 'pentad')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            size="xs"
            variant="subtle"
            px={6}
            loading={isRemoving}
            aria-label={sprintf(__('More actions for “%s”', 'pentad'), record.title)}
          >
            <IconDots size={16} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component="a" href={downloadUrl(record.id)} download={record.fileName}>
            {__('Download', 'pentad')}
          </Menu.Item>
          <Menu.Item component={Link} to={`/backup/list/${record.id}`}>
            {__('Details and log', 'pentad')}
          </Menu.Item>
          <Menu.Item c="var(--mantine-color-error)" onClick={remove}>
            {__('Delete', 'pentad')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
