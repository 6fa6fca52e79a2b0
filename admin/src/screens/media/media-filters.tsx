import { Group } from '@mantine/core'
import { useRead } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import type { Query } from '../../api/rest.ts'
import { __ } from '../../i18n.ts'
import { FilterSelect } from '../../parts/filter-select.tsx'
import type { ListQuery } from '../../parts/list-query.ts'
import { monthName, monthRange } from '../../parts/months.ts'
import { SearchField } from '../../parts/search-field.tsx'

const TYPES = [
  { value: 'image', label: __('Images', 'pentad') },
  { value: 'video', label: __('Videos', 'pentad') },
  { value: 'audio', label: __('Audio', 'pentad') },
  { value: 'application', label: __('Documents', 'pentad') },
  { value: 'text', label: __('Text files', 'pentad') },
]

type Counts = Responses['GET /host/v1/post-counts']

/** Converts the filters to parameters of `wp/v2/media`. */
export function mediaQuery(query: ListQuery): Query {
  return {
    ...{ context: 'edit', page: query.page, per_page: 40, search: query.get('search'), media_type: query.get('type') },
    ...{ orderby: query.get('orderby') || 'date', order: query.get('order') || 'desc' },
    ...monthRange(query.get('month')),
  }
}

export function MediaFilters({ query }: { query: ListQuery }) {
  const counts = useRead<Counts>('host/v1/post-counts', { type: 'attachment' })
  const months = (counts.data?.months ?? []).map(({ month, count }) => ({
    value: month,
    label: `${monthName(month)} (${count})`,
  }))
  return (
    <Group gap="xs">
      <SearchField label={__('Search files', 'pentad')} query={query} />
      <FilterSelect
        label={__('File type', 'pentad')}
        all={__('All file types', 'pentad')}
        name="type"
        query={query}
        data={TYPES}
      />
      <FilterSelect
        label={__('Month', 'pentad')}
        all={__('All months', 'pentad')}
        name="month"
        query={query}
        data={months}
      />
    </Group>
  )
}
