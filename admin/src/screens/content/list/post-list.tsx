import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { ApiError } from '../../../api/error.ts'
import { useList, useRead } from '../../../api/query.ts'
import { __ } from '../../../i18n.ts'
import { can, pageData } from '../../../page-data.ts'
import { DataTable } from '../../../parts/data-table.tsx'
import { EmptyButton } from '../../../parts/empty-button.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { useListQuery } from '../../../parts/list-query.ts'
import { Loaded } from '../../../parts/loaded.tsx'
import { Page } from '../../../parts/page.tsx'
import { useSelection } from '../../../parts/use-selection.ts'
import { type ContentTaxonomy, type ContentType, pathOfType, typeAt, useContentType, useTaxonomies } from '../types.ts'
import { BulkActions } from './bulk-actions.tsx'
import { postColumns } from './columns.tsx'
import { Filters } from './filters.tsx'
import { listRequest, nameOf, type PostCounts, type PostRow } from './post-row.ts'
import { QuickEdit } from './quick-edit.tsx'
import { RowActions } from './row-actions.tsx'
import { PostStatusTabs } from './status-tabs.tsx'

/** Lists the posts of a type that the user may edit. */
export default function PostList() {
  const { pathname } = useLocation()
  const name = typeAt(pathname)
  const type = useContentType(name)
  const taxonomies = useTaxonomies(name)
  const label = __(pageData.types.find((one) => one.name === name)?.label ?? name, 'pentad')
  return (
    <Page
      title={label}
      actions={
        <Button component={Link} to={`/${pathOfType(name)}/new`} leftSection={<IconPlus size={16} aria-hidden />}>
          {type.data?.labels.add_new_item ?? __('Add new', 'pentad')}
        </Button>
      }
    >
      <Loaded query={type} lines={8}>
        {(known) => (
          <Loaded query={taxonomies} lines={8}>
            {(all) => <Posts key={name} type={known} taxonomies={Object.values(all)} />}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}

function Posts({ type, taxonomies }: { type: ContentType; taxonomies: readonly ContentTaxonomy[] }) {
  const query = useListQuery()
  const request = listRequest(query, pageData.user.id, taxonomies)
  const list = useList<PostRow>(`wp/v2/${type.rest_base}`, request)
  const counts = useRead<PostCounts>('host/v1/post-counts', { type: type.slug })
  const selection = useSelection()
  const [edited, setEdited] = useState<PostRow>()
  // Deleting the last items of the last page removes the page.
  const isBeyond = list.error instanceof ApiError && list.error.code === 'rest_post_invalid_page_number'
  useEffect(() => {
    if (isBeyond) query.setPage(1)
  }, [isBeyond, query])
  return (
    <>
      <PostStatusTabs query={query} counts={counts.data} />
      <Filters type={type} taxonomies={taxonomies} query={query} counts={counts.data} />
      <BulkActions
        type={type}
        taxonomies={taxonomies}
        rows={list.data?.items ?? []}
        selection={selection}
        isTrash={query.get('status') === 'trash'}
      />
      {query.get('status') === 'trash' && can(type.capabilities.delete_posts ?? 'delete_posts') && (
        <EmptyButton
          path={`wp/v2/${type.rest_base}`}
          status="trash"
          count={counts.data?.statuses.trash ?? 0}
          invalidates={[`wp/v2/${type.rest_base}`, 'host/v1/post-counts']}
          onDone={selection.clear}
        />
      )}
      <DataTable
        label={type.labels.items_list ?? type.name}
        list={list}
        columns={postColumns(type, taxonomies, query)}
        rowId={({ id }) => id}
        rowName={nameOf}
        query={query}
        selection={selection}
        actions={(row) => <RowActions row={row} type={type} onEdit={() => setEdited(row)} />}
        empty={<Nothing type={type} isAll={counts.data?.all === 0} isTrash={query.get('status') === 'trash'} />}
      />
      {edited && <QuickEdit key={edited.id} row={edited} type={type} onClose={() => setEdited(undefined)} />}
    </>
  )
}

function Nothing({ type, isAll, isTrash }: { type: ContentType; isAll: boolean; isTrash: boolean }) {
  if (isTrash) {
    return (
      <EmptyState title={type.labels.not_found_in_trash ?? __('The trash is empty', 'pentad')}>
        {__('Items you move to the trash stay here until they’re deleted permanently.', 'pentad')}
      </EmptyState>
    )
  }
  if (!isAll) {
    return (
      <EmptyState title={type.labels.not_found ?? __('No results found', 'pentad')}>
        {__('No results match your filters. Clear a filter, or look under “All”.', 'pentad')}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title={type.labels.not_found ?? __('No results found', 'pentad')}
      action={
        <Button component={Link} to={`/${pathOfType(type.slug)}/new`}>
          {type.labels.add_new_item ?? __('Add new', 'pentad')}
        </Button>
      }
    >
      {__('Create the first one. It stays a draft until you publish it.', 'pentad')}
    </EmptyState>
  )
}
