import { Anchor, Badge, Group, Text } from '@mantine/core'
import { IconLock, IconPin } from '@tabler/icons-react'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { __ } from '../../../i18n.ts'
import type { Column } from '../../../parts/data-table.tsx'
import { formatAgo, formatTime } from '../../../parts/format.ts'
import type { ListQuery } from '../../../parts/list-query.ts'
import { plainText } from '../../../parts/plain-text.ts'
import { statusColor, statusName } from '../statuses.ts'
import { type ContentTaxonomy, type ContentType, isSynced, PATTERN, pathOfType } from '../types.ts'
import { nameOf, type PostRow } from './post-row.ts'

/** The columns of a post list. */
export function postColumns(
  type: ContentType,
  taxonomies: readonly ContentTaxonomy[],
  query: ListQuery,
): Column<PostRow>[] {
  return [
    { title: __('Title', 'pentad'), sort: 'title', cell: (row) => <Title row={row} type={type} query={query} /> },
    ...(type.supports.author
      ? [
          {
            title: __('Author', 'pentad'),
            sort: 'author',
            isWhole: true,
            cell: (row: PostRow) => row._embedded?.author?.[0]?.name ?? '–',
          },
        ]
      : []),
    ...(type.slug === PATTERN
      ? [
          {
            title: __('Sync status', 'pentad'),
            cell: (row: PostRow) =>
              isSynced(row.wp_pattern_sync_status) ? __('Synced', 'pentad') : __('Not synced', 'pentad'),
          },
        ]
      : []),
    ...taxonomies.map((taxonomy) => ({
      title: taxonomy.name,
      isMinor: true,
      cell: (row: PostRow) => <Terms row={row} taxonomy={taxonomy} query={query} />,
    })),
    { title: __('Date', 'pentad'), sort: 'date', isWhole: true, cell: (row) => <Moment row={row} /> },
  ]
}

function Title({ row, type, query }: { row: PostRow; type: ContentType; query: ListQuery }) {
  const isTold = query.get('status') === row.status || row.status === 'publish'
  const above = row._embedded?.up?.[0]?.title?.rendered
  return (
    <div>
      <Group gap={6}>
        {row.status === 'trash' ? (
          <Text fw={600} size="sm">
            <bdi>{nameOf(row)}</bdi>
          </Text>
        ) : (
          <Anchor component={Link} to={`/${pathOfType(type.slug)}/${row.id}`} fw={600} size="sm">
            <bdi>{nameOf(row)}</bdi>
          </Anchor>
        )}
        {row.sticky && <IconPin size={14} role="img" aria-label={__('Sticky', 'pentad')} />}
        {row.password !== '' && <IconLock size={14} role="img" aria-label={__('Password protected', 'pentad')} />}
        {!isTold && (
          <Badge size="sm" variant="light" color={statusColor(row.status)}>
            {statusName(row.status)}
          </Badge>
        )}
      </Group>
      {above !== undefined && (
        <Text size="xs" c="dimmed">
          <bdi>{plainText(above)}</bdi>
        </Text>
      )}
    </div>
  )
}

function Terms({ row, taxonomy, query }: { row: PostRow; taxonomy: ContentTaxonomy; query: ListQuery }) {
  const all = row._embedded?.['wp:term']?.flat() ?? []
  const terms = all.filter((term) => term.taxonomy === taxonomy.slug)
  if (terms.length === 0) return <Text c="dimmed">–</Text>
  return (
    <Text size="sm" c="dimmed" component="div">
      {terms.map(({ id, name }, at) => (
        <Fragment key={id}>
          {at > 0 && ', '}
          <Anchor
            component="button"
            type="button"
            size="sm"
            c="dimmed"
            ta="start"
            onClick={() => query.set({ [taxonomy.rest_base]: String(id) })}
          >
            <bdi>{plainText(name)}</bdi>
          </Anchor>
        </Fragment>
      ))}
    </Text>
  )
}

function Moment({ row: { status, date_gmt: date, modified_gmt: modified } }: { row: PostRow }) {
  const isDated = (status === 'publish' || status === 'future' || status === 'private') && date !== null
  const moment = isDated ? date : modified
  return (
    <Text span size="sm" title={formatTime(moment)}>
      {status === 'future' ? formatTime(moment) : formatAgo(moment)}
      {!isDated && (
        <Text span size="xs" c="dimmed" display="block">
          {__('Last modified', 'pentad')}
        </Text>
      )}
    </Text>
  )
}
