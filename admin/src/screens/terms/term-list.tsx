import { ActionIcon, Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation, useParams } from 'react-router'
import { useChange, useList, useRead } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { __, _n, sprintf } from '../../i18n.ts'
import { can } from '../../page-data.ts'
import { BulkBar } from '../../parts/bulk-bar.tsx'
import { confirm, confirmDelete } from '../../parts/confirm.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { each } from '../../parts/each.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { formatNumber } from '../../parts/format.ts'
import { useListQuery } from '../../parts/list-query.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { plainText, readable } from '../../parts/plain-text.ts'
import { SearchField } from '../../parts/search-field.tsx'
import { useSelection } from '../../parts/use-selection.ts'
import { useDefaultCategory } from './default-category.ts'
import { TaxonomyLinks } from './taxonomy-links.tsx'
import type { TaxonomyInfo, TermItem } from './term.ts'
import { TermForm } from './term-form.tsx'
import { inTreeOrder } from './tree-order.ts'

const BY_PATH: Readonly<Record<string, string>> = { '/categories': 'category', '/tags': 'post_tag' }

/** Categories, tags, or the terms of another taxonomy, by the URL. */
export default function TermList() {
  const { pathname } = useLocation()
  const { taxonomy = BY_PATH[pathname.replace(/\/$/, '')] ?? 'category' } = useParams()
  const info = useRead<TaxonomyInfo>(`wp/v2/taxonomies/${encodeURIComponent(taxonomy)}`, { context: 'edit' })
  return <Loaded query={info}>{(known) => <Terms key={known.slug} taxonomy={known} />}</Loaded>
}

function Terms({ taxonomy }: { taxonomy: TaxonomyInfo }) {
  const route = `wp/v2/${taxonomy.rest_base}`
  const query = useListQuery()
  const selection = useSelection()
  const { ids, clear } = selection
  const [edited, setEdited] = useState<TermItem | 'new'>()
  const search = query.get('search')
  // The tree needs all terms: up to 100 are shown as a tree, sorted by name.
  const list = useList<TermItem>(route, {
    ...{ per_page: 100, page: query.page, search },
    ...{ orderby: query.get('orderby') || 'name', order: query.get('order') || 'asc' },
  })
  const isTree = taxonomy.hierarchical && search === '' && query.get('orderby') === '' && list.data?.pages === 1
  const depths = new Map(isTree ? inTreeOrder(list.data?.items ?? []).map(({ term, depth }) => [term.id, depth]) : [])
  const remove = useChange(
    (which: readonly (string | number)[]) =>
      each(which, (id) => change('DELETE', `${route}/${id}`, undefined, { query: { force: true } })),
    {
      invalidates: [route],
      done: (count) => sprintf(_n('%d item deleted.', '%d items deleted.', count, 'pentad'), count),
    },
  )
  async function removeOne(term: TermItem): Promise<void> {
    const note =
      taxonomy.slug === 'category'
        ? __(
            'Its posts will not be deleted. Posts without another category will be moved to the default category.',
            'pentad',
          )
        : __('Its posts will not be deleted.', 'pentad')
    if (await confirmDelete(plainText(term.name), note)) remove.mutate([term.id])
  }
  async function removeChosen(): Promise<void> {
    const isSure = await confirm({
      title: sprintf(_n('Delete %d item?', 'Delete %d items?', ids.length, 'pentad'), ids.length),
      body: __('Their posts will not be deleted.', 'pentad'),
      confirm: __('Delete', 'pentad'),
      isDestructive: true,
    })
    if (isSure) remove.mutate(ids, { onSettled: clear })
  }
  const mayManage = can('manage_categories')
  const defaultCategory = useDefaultCategory()
  const isDefault = ({ id }: TermItem) => taxonomy.slug === 'category' && id === defaultCategory
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
      {__('Add', 'pentad')}
    </Button>
  )
  const columns: readonly Column<TermItem>[] = [
    {
      title: __('Name', 'pentad'),
      sort: 'name',
      cell: (term) => (
        <Group gap={6} wrap="nowrap" ps={(depths.get(term.id) ?? 0) * 20}>
          {(depths.get(term.id) ?? 0) > 0 && (
            <Text size="sm" c="dimmed" aria-hidden>
              —
            </Text>
          )}
          {mayManage ? (
            <Anchor component="button" type="button" size="sm" ta="start" onClick={() => setEdited(term)}>
              <bdi>{plainText(term.name)}</bdi>
            </Anchor>
          ) : (
            <Text size="sm">
              <bdi>{plainText(term.name)}</bdi>
            </Text>
          )}
          {isDefault(term) && (
            <Badge size="sm" variant="light" color="gray" miw="max-content">
              {__('Default', 'pentad')}
            </Badge>
          )}
        </Group>
      ),
    },
    { title: __('Slug', 'pentad'), sort: 'slug', cell: ({ slug }) => readable(slug), isMinor: true },
    {
      title: __('Description', 'pentad'),
      cell: ({ description }) => (
        <Text size="sm" lineClamp={2} maw="24rem">
          <bdi>{plainText(description) || '–'}</bdi>
        </Text>
      ),
      isMinor: true,
    },
    {
      title: __('Posts', 'pentad'),
      sort: 'count',
      align: 'end',
      cell: ({ id, count }) =>
        taxonomy.types.includes('post') ? (
          <Anchor component={Link} size="sm" to={`/posts?${taxonomy.rest_base}=${id}`}>
            {formatNumber(count)}
          </Anchor>
        ) : (
          formatNumber(count)
        ),
    },
  ]
  return (
    <Page title={taxonomy.name} actions={mayManage && add}>
      <Stack gap="md">
        <TaxonomyLinks current={taxonomy.slug} />
        <SearchField label={sprintf(__('Search %s', 'pentad'), taxonomy.name)} query={query} />
        <BulkBar selection={selection}>
          <Button size="xs" variant="light" color="red" onClick={removeChosen}>
            {__('Delete', 'pentad')}
          </Button>
        </BulkBar>
        <DataTable
          label={taxonomy.name}
          list={list}
          {...(isTree && { arrange: (terms: readonly TermItem[]) => inTreeOrder(terms).map(({ term }) => term) })}
          query={query}
          columns={columns}
          rowId={({ id }) => id}
          rowName={({ name }) => plainText(name)}
          {...(mayManage && {
            selection,
            isChoosable: (term: TermItem) => !isDefault(term),
            actions: (term: TermItem) => (
              <>
                <ActionIcon
                  variant="subtle"
                  aria-label={sprintf(__('Edit “%s”', 'pentad'), plainText(term.name))}
                  onClick={() => setEdited(term)}
                >
                  <IconPencil size={16} aria-hidden />
                </ActionIcon>
                {!isDefault(term) && (
                  <ActionIcon
                    variant="subtle"
                    color="red"
                    aria-label={sprintf(__('Delete “%s”', 'pentad'), plainText(term.name))}
                    onClick={() => removeOne(term)}
                  >
                    <IconTrash size={16} aria-hidden />
                  </ActionIcon>
                )}
              </>
            ),
          })}
          empty={
            <EmptyState title={search ? __('No results found', 'pentad') : __('No items yet', 'pentad')}>
              {search
                ? __('Try a different search.', 'pentad')
                : __('Add the first one with the button above, then use it to group your content.', 'pentad')}
            </EmptyState>
          }
        />
      </Stack>
      <TermForm taxonomy={taxonomy} term={edited} onClose={() => setEdited(undefined)} />
    </Page>
  )
}
