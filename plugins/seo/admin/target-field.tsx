import { Autocomplete } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useList } from 'pentad/admin/api/query.ts'
import type { Responses } from 'pentad/admin/api/responses.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { plainText, readable } from 'pentad/admin/parts/plain-text.ts'

type Found = Responses['SearchResults']

interface TargetFieldProps {
  readonly value: string
  readonly error?: string | undefined
  readonly onChange: (target: string) => void
}

/** The target of a redirect: a URL, or a page found by its title. */
export function TargetField({ value, error, onChange }: TargetFieldProps) {
  const words = value
    .replace(/^https?:\/\/[^/]*/, '')
    .replace(/[/_-]+/g, ' ')
    .trim()
  const [search] = useDebouncedValue(words, 250)
  const { data } = useList<Found>('wp/v2/search', { search, per_page: 8 }, { enabled: search.length > 1 })
  const paths = new Map((data?.items ?? []).map(({ url, title }) => [new URL(url).pathname, plainText(title)]))
  return (
    <Autocomplete
      label={__('Target URL', 'pentad')}
      description={__('A path on this site or a full URL. Type to search for a page.', 'pentad')}
      placeholder="/new-page/"
      required
      value={value}
      error={error}
      onChange={onChange}
      data={[...paths.keys()]}
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <div>
          {paths.get(option.value)} <small>{readable(option.value)}</small>
        </div>
      )}
    />
  )
}
