import { ActionIcon, Button, Group, Menu, Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots, IconDownload, IconPlus, IconUpload } from '@tabler/icons-react'
import { useChange, useList } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'
import { BulkBar } from 'pentad/admin/parts/bulk-bar.tsx'
import { confirm, confirmDelete } from 'pentad/admin/parts/confirm.tsx'
import { DataTable } from 'pentad/admin/parts/data-table.tsx'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { FilterSelect } from 'pentad/admin/parts/filter-select.tsx'
import { formatNumber } from 'pentad/admin/parts/format.ts'
import { useListQuery } from 'pentad/admin/parts/list-query.ts'
import { notifyFailed } from 'pentad/admin/parts/notify.ts'
import { Page } from 'pentad/admin/parts/page.tsx'
import { SearchField } from 'pentad/admin/parts/search-field.tsx'
import { useSelection } from 'pentad/admin/parts/use-selection.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { MATCHES, redirectColumns } from './redirect-columns.tsx'
import { EXPORT_FORMATS, exportRedirects } from './redirect-export.ts'
import { RedirectForm } from './redirect-form.tsx'
import { RedirectTest } from './redirect-test.tsx'
import { REDIRECTS, type Redirect, SEO } from './routes.ts'

const PER_PAGE = 20

const invalidates = [REDIRECTS, `${SEO}/overview`]

export default function Redirects() {
  const query = useListQuery()
  const selection = useSelection()
  const chosen = selection.ids
  const [edited, setEdited] = useState<Redirect | 'new'>()
  const [isTesting, test] = useDisclosure()
  const list = useList<Redirect>(REDIRECTS, {
    page: query.page,
    perPage: PER_PAGE,
    search: query.get('search'),
    enabled: query.get('enabled'),
    match: query.get('match'),
    orderBy: query.get('orderby'),
    order: query.get('order'),
  })

  const remove = useChange(({ id }: Redirect) => change('DELETE', `${REDIRECTS}/${id}`), {
    invalidates,
    done: (_, { source }) => sprintf(__('Redirect from %s deleted.', 'pentad'), source),
  })
  const turn = useChange(({ id, enabled }: Redirect) => change('PATCH', `${REDIRECTS}/${id}`, { enabled: !enabled }), {
    invalidates,
  })
  const removeAll = useChange(
    (ids: readonly (string | number)[]) => change<{ deleted: number }>('DELETE', REDIRECTS, { ids }),
    {
      invalidates,
      done: ({ deleted }) =>
        sprintf(_n('%s redirect deleted.', '%s redirects deleted.', deleted, 'pentad'), formatNumber(deleted)),
    },
  )
  const turnAll = useChange(
    (input: { ids: readonly (string | number)[]; enabled: boolean }) =>
      change<{ changed: number; errors: readonly { message: string }[] }>('PUT', REDIRECTS, input),
    { invalidates },
  )
  const flatten = useChange(() => change<{ changed: number }>('POST', `${REDIRECTS}/flatten`), {
    invalidates,
    done: ({ changed }) =>
      changed === 0
        ? __('There are no redirect chains.', 'pentad')
        : sprintf(
            _n(
              '%s redirect now points directly to its final target.',
              '%s redirects now point directly to their final targets.',
              changed,
              'pentad',
            ),
            formatNumber(changed),
          ),
  })

  async function deleteOne(rule: Redirect) {
    if (await confirmDelete(rule.source)) remove.mutate(rule)
  }

  async function deleteChosen() {
    const isSure = await confirm({
      title: sprintf(
        _n('Delete %s redirect?', 'Delete %s redirects?', chosen.length, 'pentad'),
        formatNumber(chosen.length),
      ),
      body: __('Visitors to these URLs will no longer be redirected. This can’t be undone.', 'pentad'),
      confirm: __('Delete', 'pentad'),
      isDestructive: true,
    })
    if (isSure) removeAll.mutate(chosen, { onSuccess: selection.clear })
  }

  function switchChosen(enabled: boolean) {
    turnAll.mutate(
      { ids: chosen, enabled },
      {
        onSuccess({ errors: [first] }) {
          selection.clear()
          if (first) notifyFailed(new Error(first.message))
        },
      },
    )
  }

  const isFiltered = ['search', 'enabled', 'match'].some((name) => query.get(name) !== '')
  const makeFirst = (
    <Group gap="xs" justify="center">
      <Button onClick={() => setEdited('new')}>{__('Add redirect', 'pentad')}</Button>
      <Button component={Link} to="/seo/redirects/import" variant="default">
        {__('Import redirects', 'pentad')}
      </Button>
    </Group>
  )
  return (
    <Page
      title={__('Redirects', 'pentad')}
      description={__('Send visitors from old URLs to new ones. Changes take effect immediately.', 'pentad')}
      actions={
        <>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
            {__('Add redirect', 'pentad')}
          </Button>
          <Button variant="default" onClick={test.toggle} aria-expanded={isTesting}>
            {__('Test a URL', 'pentad')}
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="default" size="lg" aria-label={__('More actions', 'pentad')}>
                <IconDots size={18} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item component={Link} to="/seo/redirects/import" leftSection={<IconUpload size={16} aria-hidden />}>
                {__('Import redirects', 'pentad')}
              </Menu.Item>
              <Menu.Item onClick={() => flatten.mutate()}>{__('Shorten redirect chains', 'pentad')}</Menu.Item>
              <Menu.Divider />
              <Menu.Label>{__('Export all redirects', 'pentad')}</Menu.Label>
              {EXPORT_FORMATS.map(({ format, label }) => (
                <Menu.Item
                  key={format}
                  leftSection={<IconDownload size={16} aria-hidden />}
                  onClick={() => exportRedirects(format).catch(notifyFailed)}
                >
                  {label}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </>
      }
    >
      {isTesting && <RedirectTest />}
      <Group>
        <SearchField label={__('Search redirects', 'pentad')} query={query} />
        <FilterSelect
          label={__('Status', 'pentad')}
          all={__('All statuses', 'pentad')}
          name="enabled"
          query={query}
          data={[
            { value: 'true', label: __('Enabled', 'pentad') },
            { value: 'false', label: __('Disabled', 'pentad') },
          ]}
        />
        <FilterSelect
          label={__('Match type', 'pentad')}
          all={__('All match types', 'pentad')}
          name="match"
          query={query}
          data={Object.entries(MATCHES).map(([value, label]) => ({ value, label }))}
        />
      </Group>
      <BulkBar selection={selection}>
        <Button size="xs" variant="default" onClick={() => switchChosen(true)}>
          {__('Enable', 'pentad')}
        </Button>
        <Button size="xs" variant="default" onClick={() => switchChosen(false)}>
          {__('Disable', 'pentad')}
        </Button>
        <Button size="xs" variant="light" color="red" onClick={deleteChosen}>
          {__('Delete', 'pentad')}
        </Button>
      </BulkBar>
      <DataTable
        label={__('Redirects', 'pentad')}
        list={list}
        columns={redirectColumns(turn.mutate)}
        rowId={({ id }) => id}
        rowName={({ source }) => source}
        query={query}
        selection={selection}
        actions={(rule) => (
          <>
            <Button
              size="xs"
              variant="subtle"
              onClick={() => setEdited(rule)}
              aria-label={sprintf(__('Edit %s', 'pentad'), rule.source)}
            >
              {__('Edit', 'pentad')}
            </Button>
            <Button
              size="xs"
              variant="subtle"
              color="red"
              onClick={() => deleteOne(rule)}
              aria-label={sprintf(__('Delete %s', 'pentad'), rule.source)}
            >
              {__('Delete', 'pentad')}
            </Button>
          </>
        )}
        empty={
          isFiltered ? (
            <EmptyState title={__('No redirects found', 'pentad')}>
              {__('Try a different search, or clear the filters.', 'pentad')}
            </EmptyState>
          ) : (
            <EmptyState title={__('No redirects yet', 'pentad')} action={makeFirst}>
              {__('Create a redirect for a URL that has moved, or import redirects from another plugin.', 'pentad')}
            </EmptyState>
          )
        }
      />
      <Modal
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={edited === 'new' ? __('Add redirect', 'pentad') : __('Edit redirect', 'pentad')}
      >
        {edited !== undefined && (
          <RedirectForm rule={edited === 'new' ? undefined : edited} onDone={() => setEdited(undefined)} />
        )}
      </Modal>
    </Page>
  )
}
