import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { __ } from '@wordpress/i18n'
import { useState } from 'react'
import { useRead } from '../../../../api/query.ts'
import { plainText } from '../../../../parts/plain-text.ts'
import type { ContentType } from '../../types.ts'
import type { Edited } from '../use-edited.ts'

interface Page {
  readonly id: number
  readonly title: { readonly rendered: string }
}

/** The page above, found by its title. */
export function PageParent({ type, edited: { fields, post, set } }: { type: ContentType; edited: Edited }) {
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search, 250)
  const base = `wp/v2/${type.rest_base}`
  const query = { context: 'edit', status: 'any', per_page: 50, orderby: 'title', order: 'asc', _fields: 'id,title' }
  const chosen = useRead<readonly Page[]>(base, { ...query, include: [fields.parent] }, { enabled: fields.parent > 0 })
  // The field shows the title of the chosen one as if it were searched for.
  const isChosen = (chosen.data ?? []).some(({ title }) => plainText(title.rendered) === asked)
  const found = useRead<readonly Page[]>(base, { ...query, search: isChosen ? '' : asked })
  const pages = new Map([...(chosen.data ?? []), ...(found.data ?? [])].map((page) => [page.id, page]))
  pages.delete(post?.id ?? 0)
  return (
    <Select
      label={type.labels.parent_item_colon ?? __('Below', 'pentad')}
      placeholder={__('None', 'pentad')}
      searchable
      clearable
      data={[...pages.values()].map(({ id, title }) => ({
        value: String(id),
        label: plainText(title.rendered) || `#${id}`,
      }))}
      searchValue={search}
      onSearchChange={setSearch}
      value={fields.parent > 0 ? String(fields.parent) : null}
      onChange={(id) => set({ parent: Number(id ?? 0) })}
    />
  )
}
