import { Select } from '@mantine/core'
import { __, sprintf } from '../i18n.ts'
import type { ListQuery } from './list-query.ts'

const SPANS = ['7', '30', '90', '365']

/** The number of days from the URL. */
export function daysOf(query: ListQuery): string {
  const days = query.get('days')
  return SPANS.includes(days) ? days : '30'
}

/** Selects the period of a chart. */
export function DaysSelect({ query }: { query: ListQuery }) {
  return (
    <Select
      aria-label={__('Date range', 'pentad')}
      data={SPANS.map((value) => ({ value, label: sprintf(__('Last %s days', 'pentad'), value) }))}
      value={daysOf(query)}
      allowDeselect={false}
      w={160}
      onChange={(days) => query.set({ days: days ?? '' })}
    />
  )
}
