import { Group, Pagination, Text } from '@mantine/core'
import { __, sprintf } from '../i18n.ts'
import { formatNumber } from './format.ts'
import type { ListQuery } from './list-query.ts'

interface PageButtonsProps {
  readonly pages: number
  readonly query: Pick<ListQuery, 'page' | 'setPage'>
  /** The total, with its noun: `12 files`. */
  readonly count: string
}

const CONTROLS = {
  first: __('First page', 'pentad'),
  previous: __('Previous page', 'pentad'),
  next: __('Next page', 'pentad'),
  last: __('Last page', 'pentad'),
}

/** The total and the pagination below a list. */
export function PageButtons({ pages, query: { page, setPage }, count }: PageButtonsProps) {
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed" aria-live="polite">
        {count}
      </Text>
      {pages > 1 && (
        <Pagination
          total={pages}
          value={Math.min(page, pages)}
          onChange={setPage}
          size="sm"
          getControlProps={(control) => ({ 'aria-label': CONTROLS[control] })}
          getItemProps={(item) => ({
            children: formatNumber(item),
            'aria-label': sprintf(__('Page %s', 'pentad'), formatNumber(item)),
          })}
        />
      )}
    </Group>
  )
}
