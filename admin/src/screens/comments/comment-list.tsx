import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { useChange, useList, useRead } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { __, _n, sprintf } from '../../i18n.ts'
import { BulkBar } from '../../parts/bulk-bar.tsx'
import { confirm } from '../../parts/confirm.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { each } from '../../parts/each.ts'
import { EmptyButton } from '../../parts/empty-button.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { useListQuery } from '../../parts/list-query.ts'
import { Page } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { StatusTabs } from '../../parts/status-tabs.tsx'
import { useSelection } from '../../parts/use-selection.ts'
import { COMMENTS, COUNTS, type CommentCounts, type CommentItem, type CommentStatus } from './comment.ts'
import { CommentActions } from './comment-actions.tsx'
import { commentColumns } from './comment-columns.tsx'
import { WriteComment, type Writing } from './write-comment.tsx'

const CHANGES = { invalidates: [COMMENTS, COUNTS] } as const

/** Lists comments and moderates them. */
export default function CommentList() {
  const query = useListQuery()
  const selection = useSelection()
  const { ids, clear } = selection
  const [writing, setWriting] = useState<Writing>()
  const counts = useRead<CommentCounts>(COUNTS)
  const status = query.get('status') || 'all'
  const list = useList<CommentItem>(COMMENTS, {
    ...{ context: 'edit', status, page: query.page, per_page: 20, search: query.get('search'), _embed: 'up' },
    ...{ post: query.get('post'), orderby: query.get('orderby'), order: query.get('order') },
  })
  const setStatus = useChange(
    ({ which, to }: { which: readonly (string | number)[]; to: CommentStatus }) =>
      each(which, (id) => change('POST', `${COMMENTS}/${id}`, { status: to })),
    { ...CHANGES, done: (count, { to }) => said(count, to) },
  )
  const remove = useChange(
    (which: readonly (string | number)[]) =>
      each(which, (id) => change('DELETE', `${COMMENTS}/${id}`, undefined, { query: { force: true } })),
    {
      ...CHANGES,
      done: (count) => sprintf(_n('%d comment deleted.', '%d comments deleted.', count, 'pentad'), count),
    },
  )
  async function askAndRemove(which: readonly (string | number)[]): Promise<void> {
    const isSure = await confirm({
      title: sprintf(
        _n('Delete %d comment permanently?', 'Delete %d comments permanently?', which.length, 'pentad'),
        which.length,
      ),
      body: __('Replies to a deleted comment will be kept and moved up one level. This can’t be undone.', 'pentad'),
      confirm: __('Delete', 'pentad'),
      isDestructive: true,
    })
    if (isSure) remove.mutate(which, { onSettled: clear })
  }
  const move = (which: readonly (string | number)[], to: CommentStatus) =>
    setStatus.mutate({ which, to }, { onSettled: clear })
  const isGone = status === 'trash' || status === 'spam'
  return (
    <Page title={__('Comments', 'pentad')}>
      <Stack gap="md">
        <StatusTabs query={query} tabs={tabs(counts.data)} />
        <SearchField label={__('Search comments', 'pentad')} query={query} />
        <BulkBar selection={selection}>
          <Button size="xs" variant="light" onClick={() => move(ids, 'approved')}>
            {__('Approve', 'pentad')}
          </Button>
          {!isGone && (
            <Button size="xs" variant="light" onClick={() => move(ids, 'spam')}>
              {__('Spam', 'pentad')}
            </Button>
          )}
          {isGone ? (
            <Button size="xs" variant="light" color="red" onClick={() => askAndRemove(ids)}>
              {__('Delete permanently', 'pentad')}
            </Button>
          ) : (
            <Button size="xs" variant="light" color="red" onClick={() => move(ids, 'trash')}>
              {__('Move to trash', 'pentad')}
            </Button>
          )}
        </BulkBar>
        {isGone && (
          <EmptyButton
            path={COMMENTS}
            status={status}
            count={counts.data?.[status] ?? 0}
            invalidates={CHANGES.invalidates}
            onDone={clear}
          />
        )}
        <DataTable
          label={__('Comments', 'pentad')}
          list={list}
          query={query}
          rowId={({ id }) => id}
          rowName={({ author_name: name }) => name || __('Anonymous', 'pentad')}
          selection={selection}
          columns={commentColumns}
          actions={(comment) => (
            <CommentActions
              comment={comment}
              onStatus={(to) => move([comment.id], to)}
              onWrite={setWriting}
              onDelete={() => askAndRemove([comment.id])}
            />
          )}
          empty={
            <EmptyState title={__('No comments found', 'pentad')}>
              {query.get('search')
                ? __('Try a different search.', 'pentad')
                : __('Comments on your posts appear here for you to approve, reply to, or delete.', 'pentad')}
            </EmptyState>
          }
        />
      </Stack>
      <WriteComment writing={writing} onClose={() => setWriting(undefined)} />
    </Page>
  )
}

function tabs(counts: CommentCounts | undefined) {
  return [
    { value: '', label: __('All', 'pentad'), count: counts?.all },
    { value: 'hold', label: __('Pending', 'pentad'), count: counts?.hold },
    { value: 'approved', label: __('Approved', 'pentad'), count: counts?.approved },
    { value: 'spam', label: __('Spam', 'pentad'), count: counts?.spam },
    { value: 'trash', label: __('Trash', 'pentad'), count: counts?.trash },
  ]
}

function said(count: number, to: CommentStatus): string {
  switch (to) {
    case 'approved':
      return sprintf(_n('%d comment approved.', '%d comments approved.', count, 'pentad'), count)
    case 'hold':
      return sprintf(_n('%d comment unapproved.', '%d comments unapproved.', count, 'pentad'), count)
    case 'spam':
      return sprintf(_n('%d comment marked as spam.', '%d comments marked as spam.', count, 'pentad'), count)
    case 'trash':
      return sprintf(_n('%d comment moved to the trash.', '%d comments moved to the trash.', count, 'pentad'), count)
  }
}
