import { Group, Select } from '@mantine/core'
import { __ } from '@wordpress/i18n'
import { useRead } from '../../api/query.ts'
import type { Query } from '../../api/rest.ts'
import { pageData } from '../../page-data.ts'
import type { ListQuery } from '../../parts/list-query.ts'
import { SearchField } from '../../parts/search-field.tsx'

const TYPES = [
  { value: 'image', label: __('Images', 'pentad') },
  { value: 'video', label: __('Videos', 'pentad') },
  { value: 'audio', label: __('Sounds', 'pentad') },
  { value: 'application', label: __('Documents', 'pentad') },
  { value: 'text', label: __('Texts', 'pentad') },
]

interface Counts {
  readonly months: readonly { readonly month: string; readonly count: number }[]
}

/** What the filters ask of `wp/v2/media`. */
export function mediaQuery(query: ListQuery): Query {
  const month = query.get('month')
  const [year = 0, number = 0] = month.split('-').map(Number)
  const next = `${number === 12 ? year + 1 : year}-${String(number === 12 ? 1 : number + 1).padStart(2, '0')}`
  return {
    ...{ context: 'edit', page: query.page, per_page: 40, search: query.get('search'), media_type: query.get('type') },
    ...{ orderby: query.get('orderby') || 'date', order: query.get('order') || 'desc' },
    // Both ends are left out, so the first moment of the month is named by the one before it.
    ...(month && { after: `${month}-01T00:00:00`, before: `${next}-01T00:00:00` }),
  }
}

export function MediaFilters({ query }: { query: ListQuery }) {
  const counts = useRead<Counts>('host/v1/post-counts', { type: 'attachment' })
  const names = new Intl.DateTimeFormat(pageData.locale.language, { year: 'numeric', month: 'long', timeZone: 'UTC' })
  const months = (counts.data?.months ?? []).map(({ month, count }) => ({
    value: month,
    label: `${names.format(new Date(`${month}-01T00:00:00Z`))} (${count})`,
  }))
  return (
    <Group gap="xs">
      <SearchField label={__('Search files', 'pentad')} query={query} />
      <Select
        aria-label={__('Kind of file', 'pentad')}
        placeholder={__('All kinds', 'pentad')}
        data={TYPES}
        value={query.get('type') || null}
        onChange={(value) => query.set({ type: value ?? '' })}
        clearable
        clearButtonProps={{ 'aria-label': __('All kinds', 'pentad') }}
        w={150}
      />
      <Select
        aria-label={__('Month', 'pentad')}
        placeholder={__('All months', 'pentad')}
        data={months}
        value={query.get('month') || null}
        onChange={(value) => query.set({ month: value ?? '' })}
        clearable
        clearButtonProps={{ 'aria-label': __('All months', 'pentad') }}
        w={190}
      />
    </Group>
  )
}
