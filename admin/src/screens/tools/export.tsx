import { Button, Group, Select, Stack, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { currentNonce, pathOf, type Query } from '../../api/rest.ts'
import { __ } from '../../i18n.ts'
import { pageData } from '../../page-data.ts'
import { Page } from '../../parts/page.tsx'
import { SearchSelect } from '../../parts/search-select.tsx'
import { Section } from '../../parts/section.tsx'

type Named = Pick<Responses['Categories'], 'id' | 'name'>

type PostTypes = Responses['GET /wp/v2/types']

const STATUSES = [
  { value: 'publish', label: __('Published', 'pentad') },
  { value: 'future', label: __('Scheduled', 'pentad') },
  { value: 'draft', label: __('Draft', 'pentad') },
  { value: 'pending', label: __('Pending', 'pentad') },
  { value: 'private', label: __('Private', 'pentad') },
  { value: 'trash', label: __('Trash', 'pentad') },
]

/** A link that the browser downloads itself, so the export can have any size. */
function exportUrl(query: Query): string {
  return pageData.restUrl.replace(/\/$/, '') + pathOf('host/v1/export', { ...query, _wpnonce: currentNonce() })
}

/** WordPress's Tools → Export. */
export default function Export() {
  const [type, setType] = useState<string | null>(null)
  const [status, setStatus] = useState<string | null>(null)
  const [author, setAuthor] = useState(0)
  const [category, setCategory] = useState(0)
  const [startDate, setStartDate] = useState('')
  const [endDate, setEndDate] = useState('')
  const [comments, setComments] = useState(true)
  const types = useRead<PostTypes>('wp/v2/types', { context: 'edit' })
  const isReversed = startDate !== '' && endDate !== '' && endDate < startDate
  const query: Query = {
    ...{ type: type ?? '', status: status ?? '', author: author || '', category: category || '', startDate, endDate },
    ...(!comments && { comments: false }),
  }
  return (
    <Page
      isForm
      title={__('Export', 'pentad')}
      description={__(
        'Download a WordPress export file (WXR) with posts, pages, comments, terms, menus, and the URLs of media files. WordPress and Pentad can import it. It is not a backup: settings, themes, and the media files themselves are not included.',
        'pentad',
      )}
    >
      <Section
        title={__('Content to export', 'pentad')}
        description={__('Leave all filters empty to export all content.', 'pentad')}
      >
        <Stack gap="md" maw="32rem">
          <Select
            label={__('Post type', 'pentad')}
            placeholder={__('All content', 'pentad')}
            clearable
            clearButtonProps={{ 'aria-label': __('All content', 'pentad') }}
            data={Object.values(types.data ?? {})
              .filter(({ visibility }) => visibility.show_ui)
              .map(({ slug, name }) => ({ value: slug, label: name }))}
            value={type}
            onChange={setType}
          />
          <Select
            label={__('Status', 'pentad')}
            placeholder={__('All statuses', 'pentad')}
            clearable
            clearButtonProps={{ 'aria-label': __('All statuses', 'pentad') }}
            data={STATUSES}
            value={status}
            onChange={setStatus}
          />
          <SearchSelect<Named>
            label={__('Author', 'pentad')}
            route="wp/v2/users"
            query={{ _fields: 'id,name', context: 'edit' }}
            nameOf={({ name }) => name}
            none={__('All authors', 'pentad')}
            value={author}
            onChange={setAuthor}
          />
          <SearchSelect<Named>
            label={__('Category', 'pentad')}
            route="wp/v2/categories"
            query={{ _fields: 'id,name' }}
            nameOf={({ name }) => name}
            none={__('All categories', 'pentad')}
            value={category}
            onChange={setCategory}
          />
          <Group grow align="flex-start">
            <TextInput
              type="date"
              label={__('Start date', 'pentad')}
              value={startDate}
              onChange={(event) => setStartDate(event.currentTarget.value)}
            />
            <TextInput
              type="date"
              label={__('End date', 'pentad')}
              error={isReversed && __('The end date is before the start date.', 'pentad')}
              value={endDate}
              onChange={(event) => setEndDate(event.currentTarget.value)}
            />
          </Group>
          <Switch
            label={__('Comments', 'pentad')}
            checked={comments}
            onChange={(event) => setComments(event.currentTarget.checked)}
          />
          <Group>
            {isReversed ? (
              <Button disabled>{__('Download export file', 'pentad')}</Button>
            ) : (
              <Button component="a" href={exportUrl(query)} download>
                {__('Download export file', 'pentad')}
              </Button>
            )}
          </Group>
        </Stack>
      </Section>
    </Page>
  )
}
