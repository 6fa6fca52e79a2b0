import type { Responses } from '../../api/responses.ts'
import { __ } from '../../i18n.ts'
import { plainText } from '../../parts/plain-text.ts'
import { SearchSelect } from '../../parts/search-select.tsx'

type PageInfo = Pick<Responses['Pages'], 'id' | 'title'>

interface PageSelectProps {
  readonly label: string
  /** 0 if none is selected. */
  readonly value: number
  readonly onChange: (id: number) => void
  readonly error?: string | undefined
}

/** Selects a published page. */
export function PageSelect(props: PageSelectProps) {
  return (
    <SearchSelect<PageInfo>
      {...props}
      route="wp/v2/pages"
      query={{ _fields: 'id,title', orderby: 'title', order: 'asc' }}
      nameOf={({ title }) => plainText(title.rendered)}
      none={__('No page', 'pentad')}
    />
  )
}
