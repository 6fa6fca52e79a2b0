import { type ComboboxData, Select } from '@mantine/core'
import { __ } from '../i18n.ts'
import classes from './filters.module.css'
import type { ListQuery } from './list-query.ts'

interface FilterSelectProps {
  readonly label: string
  /** Label of the unfiltered state: `All types`. */
  readonly all: string
  /** Name of the filter in the URL. */
  readonly name: string
  readonly query: ListQuery
  readonly data: ComboboxData
  readonly searchable?: boolean
}

/** A select that filters a list. */
export function FilterSelect({ label, all, name, query, ...shared }: FilterSelectProps) {
  return (
    <Select
      {...shared}
      aria-label={label}
      placeholder={all}
      clearable
      clearButtonProps={{ 'aria-label': all }}
      nothingFoundMessage={__('No results found', 'pentad')}
      className={classes.select}
      value={query.get(name) || null}
      onChange={(value) => query.set({ [name]: value ?? '' })}
    />
  )
}
