import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type BatchRequest, batch } from '../../../api/batch.ts'
import { invalidate, useRead } from '../../../api/query.ts'
import { __, _n, sprintf } from '../../../i18n.ts'
import { can } from '../../../page-data.ts'
import { BulkBar } from '../../../parts/bulk-bar.tsx'
import { confirm } from '../../../parts/confirm.tsx'
import type { Selection } from '../../../parts/data-table.tsx'
import { formatNumber } from '../../../parts/format.ts'
import { notifyDone, notifyFailed } from '../../../parts/notify.ts'
import { plainText } from '../../../parts/plain-text.ts'
import { ProgressBar } from '../../../parts/progress-bar.tsx'
import type { ContentTaxonomy, ContentType, Term } from '../types.ts'
import { nameOf, type PostRow, termIds } from './post-row.ts'

interface BulkActionsProps {
  readonly type: ContentType
  readonly taxonomies: readonly ContentTaxonomy[]
  readonly rows: readonly PostRow[]
  readonly selection: Selection
  readonly isTrash: boolean
}

/** Bulk actions on posts. Each post is a request of its own, so errors are reported by title. */
export function BulkActions({ type, taxonomies, rows, selection, isTrash }: BulkActionsProps) {
  const client = useQueryClient()
  const [done, setDone] = useState<number>()
  const chosen = rows.filter(({ id }) => selection.ids.includes(id))
  const number = formatNumber(chosen.length)
  const path = (row: PostRow) => `wp/v2/${type.rest_base}/${row.id}`
  const categories = taxonomies.find(({ hierarchical }) => hierarchical)

  async function run(requests: readonly BatchRequest[], message: string): Promise<void> {
    setDone(0)
    try {
      const refused = (await batch(requests, setDone)).filter(({ error }) => error !== undefined)
      for (const { request, error } of refused.slice(0, 3)) {
        const row = chosen.find((one) => request.path === path(one))
        notifyFailed(new Error(`${row ? nameOf(row) : ''}: ${error?.message ?? ''}`))
      }
      if (refused.length < requests.length) notifyDone(message)
    } catch (error) {
      notifyFailed(error)
    }
    setDone(undefined)
    selection.onChange([])
    await invalidate(client, [`wp/v2/${type.rest_base}`, 'host/v1/post-counts'])
  }

  const statusButton = (label: string, status: string, message: string) => (
    <Button
      size="xs"
      variant="default"
      onClick={() =>
        void run(
          chosen.map((row) => ({ method: 'POST', path: path(row), query: { _fields: 'id' }, body: { status } })),
          message,
        )
      }
    >
      {label}
    </Button>
  )
  const remove = (query: { force?: boolean }, message: string) =>
    run(
      chosen.map((row) => ({ method: 'DELETE', path: path(row), query })),
      message,
    )
  const trash = () =>
    remove(
      {},
      sprintf(_n('%s item moved to the trash.', '%s items moved to the trash.', chosen.length, 'pentad'), number),
    )
  const erase = async () => {
    const isSure = await confirm({
      title: sprintf(
        _n('Delete %s item permanently?', 'Delete %s items permanently?', chosen.length, 'pentad'),
        number,
      ),
      body: sprintf(__('%s will be permanently deleted. This can’t be undone.', 'pentad'), names(chosen)),
      confirm: __('Delete permanently', 'pentad'),
      isDestructive: true,
    })
    if (isSure)
      await remove(
        { force: true },
        sprintf(_n('%s item deleted permanently.', '%s items deleted permanently.', chosen.length, 'pentad'), number),
      )
  }
  const addTerm = (taxonomy: ContentTaxonomy, term: Term) => {
    const base = taxonomy.rest_base
    return run(
      chosen.map((row) => ({
        method: 'POST',
        path: path(row),
        query: { _fields: 'id' },
        body: { [base]: [...new Set([...termIds(row, base), term.id])] },
      })),
      sprintf(__('Added to %s.', 'pentad'), plainText(term.name)),
    )
  }
  if (done !== undefined) {
    return <ProgressBar percent={(done / Math.max(1, chosen.length)) * 100} label={__('Updating…', 'pentad')} />
  }
  return (
    <BulkBar selection={selection}>
      {isTrash ? (
        <>
          {statusButton(
            __('Restore', 'pentad'),
            'draft',
            sprintf(
              _n('%s item restored as a draft.', '%s items restored as drafts.', chosen.length, 'pentad'),
              number,
            ),
          )}
          <Button size="xs" color="red" variant="light" onClick={() => void erase()}>
            {__('Delete permanently', 'pentad')}
          </Button>
        </>
      ) : (
        <>
          {can(type.capabilities.publish_posts ?? 'publish_posts') &&
            statusButton(
              __('Publish', 'pentad'),
              'publish',
              sprintf(_n('%s item published.', '%s items published.', chosen.length, 'pentad'), number),
            )}
          {statusButton(
            __('Switch to draft', 'pentad'),
            'draft',
            sprintf(_n('%s item switched to draft.', '%s items switched to draft.', chosen.length, 'pentad'), number),
          )}
          {categories && <AddTerm taxonomy={categories} onChoose={(term) => void addTerm(categories, term)} />}
          <Button size="xs" color="red" variant="light" onClick={() => void trash()}>
            {__('Move to trash', 'pentad')}
          </Button>
        </>
      )}
    </BulkBar>
  )
}

function AddTerm({ taxonomy, onChoose }: { taxonomy: ContentTaxonomy; onChoose: (term: Term) => void }) {
  const terms = useRead<readonly Term[]>(`wp/v2/${taxonomy.rest_base}`, { per_page: 100, _fields: 'id,name' })
  return (
    <Menu>
      <Menu.Target>
        <Button size="xs" variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
          {sprintf(__('Add to %s', 'pentad'), taxonomy.labels.singular_name ?? taxonomy.name)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {(terms.data ?? []).map((term) => (
          <Menu.Item key={term.id} onClick={() => onChoose(term)}>
            {plainText(term.name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The first few titles, for the confirmation. */
function names(rows: readonly PostRow[]): string {
  const [first = '', ...others] = rows.slice(0, 3).map((row) => `“${nameOf(row)}”`)
  const more = rows.length - 3
  return [first, ...others, ...(more > 0 ? [sprintf(_n('%d more', '%d more', more, 'pentad'), more)] : [])].join(', ')
}
