import { Button, Pagination, SegmentedControl, Stack } from '@mantine/core'
import { __ } from '@wordpress/i18n'
import { useList } from '../../api/query.ts'
import { Changes } from '../../copilot/changes.tsx'
import { openCopilot } from '../../copilot/panel-state.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { useListQuery } from '../../parts/list-query.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import type { Change } from './routes.ts'

const STATUSES = [
  { value: 'proposed', label: __('Waiting', 'pentad') },
  { value: 'applied', label: __('Applied', 'pentad') },
  { value: 'discarded', label: __('Discarded', 'pentad') },
]

/** Everything that the copilot proposed to this user, whatever the conversation. */
export default function ChangesScreen() {
  const query = useListQuery()
  const status = query.get('status') || 'proposed'
  const changes = useList<Change>('ai/v1/changes', { status, page: query.page, perPage: 20 })
  return (
    <Page
      title={__('Proposed changes', 'pentad')}
      description={__(
        'The copilot changes nothing by itself. What it proposed to you waits here until you apply or discard it.',
        'pentad',
      )}
    >
      <SegmentedControl
        data={STATUSES}
        value={status}
        onChange={(value) => query.set({ status: value === 'proposed' ? '' : value })}
        aria-label={__('Which changes are shown', 'pentad')}
        w="fit-content"
      />
      <Loaded query={changes} lines={6}>
        {({ items, pages }) =>
          items.length === 0 ? (
            <EmptyState
              title={status === 'proposed' ? __('Nothing waits for you', 'pentad') : __('There are none', 'pentad')}
              action={<Button onClick={() => openCopilot()}>{__('Ask the copilot', 'pentad')}</Button>}
            >
              {__(
                'Ask the copilot to look something up and prepare a change: a description, a redirect, a draft.',
                'pentad',
              )}
            </EmptyState>
          ) : (
            <Stack>
              <Changes
                changes={items}
                onAskAgain={({ conversationId, summary }) => openCopilot({ conversationId, draft: summary })}
              />
              {pages > 1 && <Pagination total={pages} value={query.page} onChange={query.setPage} />}
            </Stack>
          )
        }
      </Loaded>
    </Page>
  )
}
