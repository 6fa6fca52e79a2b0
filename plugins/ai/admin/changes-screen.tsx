import { Button, SegmentedControl, Stack } from '@mantine/core'
import { useList } from 'pentad/admin/api/query.ts'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { formatNumber } from 'pentad/admin/parts/format.ts'
import { useListQuery } from 'pentad/admin/parts/list-query.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { Page } from 'pentad/admin/parts/page.tsx'
import { PageButtons } from 'pentad/admin/parts/page-buttons.tsx'
import { Changes } from './copilot/changes.tsx'
import { openCopilot } from './copilot/panel-state.ts'
import type { Change } from './routes.ts'

const STATUSES = [
  { value: 'proposed', label: __('Pending', 'pentad') },
  { value: 'applied', label: __('Applied', 'pentad') },
  { value: 'discarded', label: __('Discarded', 'pentad') },
]

/** All changes that the copilot has proposed to this user, in any conversation. */
export default function ChangesScreen() {
  const query = useListQuery()
  const status = query.get('status') || 'proposed'
  const changes = useList<Change>('ai/v1/changes', { status, page: query.page, perPage: 20 })
  return (
    <Page
      title={__('Proposed changes', 'pentad')}
      description={__(
        'The copilot never makes changes on its own. Changes it proposes to you are listed here until you apply or discard them.',
        'pentad',
      )}
    >
      <SegmentedControl
        data={STATUSES}
        value={status}
        onChange={(value) => query.set({ status: value === 'proposed' ? '' : value })}
        aria-label={__('Filter by status', 'pentad')}
        w="fit-content"
      />
      <Loaded query={changes} lines={6}>
        {({ items, total, pages }) =>
          items.length === 0 ? (
            <EmptyState
              title={status === 'proposed' ? __('No pending changes', 'pentad') : __('No changes found', 'pentad')}
              action={<Button onClick={() => openCopilot()}>{__('Ask the copilot', 'pentad')}</Button>}
            >
              {__(
                'Ask the copilot to look something up and prepare a change, such as a description, a redirect, or a draft.',
                'pentad',
              )}
            </EmptyState>
          ) : (
            <Stack>
              <Changes
                changes={items}
                onAskAgain={({ conversationId, summary }) => openCopilot({ conversationId, draft: summary })}
              />
              <PageButtons
                {...{ pages, query }}
                count={sprintf(_n('%s change', '%s changes', total, 'pentad'), formatNumber(total))}
              />
            </Stack>
          )
        }
      </Loaded>
    </Page>
  )
}
