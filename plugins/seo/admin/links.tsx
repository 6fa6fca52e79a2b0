import { Anchor, Badge, Button, Group, Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useList, useRead } from 'pentad/admin/api/query.ts'
import type { Responses } from 'pentad/admin/api/responses.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { pageData } from 'pentad/admin/page-data.ts'
import { type Column, DataTable } from 'pentad/admin/parts/data-table.tsx'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { formatDate } from 'pentad/admin/parts/format.ts'
import { Licensed, LicenseNote, needsLicense } from 'pentad/admin/parts/licensed.tsx'
import { useListQuery } from 'pentad/admin/parts/list-query.ts'
import { Page } from 'pentad/admin/parts/page.tsx'
import { plainText } from 'pentad/admin/parts/plain-text.ts'
import { Section } from 'pentad/admin/parts/section.tsx'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { PageLink } from './page-link.tsx'
import { type LinkSuggestion, type Orphan, SEO } from './routes.ts'

const PER_PAGE = 20

const labelOf = (type: string) => pageData.types.find(({ name }) => name === type)?.singularLabel ?? type

const COLUMNS: readonly Column<Orphan>[] = [
  {
    title: __('Page', 'pentad'),
    cell: ({ title, url }) => (
      <>
        <Text size="sm" fw={600}>
          {title || __('(no title)', 'pentad')}
        </Text>
        <PageLink url={url} />
      </>
    ),
  },
  { title: __('Type', 'pentad'), isMinor: true, cell: ({ type }) => labelOf(type) },
  { title: __('Published', 'pentad'), isWhole: true, cell: ({ publishedAt }) => formatDate(publishedAt) },
]

export default function SeoLinks() {
  const query = useListQuery()
  const orphans = useList<Orphan>(`${SEO}/orphans`, { page: query.page, perPage: PER_PAGE })
  return (
    <Page
      title={__('Links', 'pentad')}
      description={__('Internal links show readers and search engines which pages belong together.', 'pentad')}
    >
      {needsLicense(orphans.error) ? (
        <LicenseNote>{__('Find orphaned content, and get suggestions for internal links.', 'pentad')}</LicenseNote>
      ) : (
        <>
          <Suggestions />
          <Section
            title={__('Orphaned content', 'pentad')}
            description={__('Pages without links from other pages or menus. Links in drafts don’t count.', 'pentad')}
          >
            <DataTable
              label={__('Orphaned content', 'pentad')}
              list={orphans}
              columns={COLUMNS}
              rowId={({ postId }) => postId}
              query={query}
              actions={({ postId, title }) => (
                <Button
                  component={Link}
                  to={`?post=${postId}`}
                  size="xs"
                  variant="subtle"
                  aria-label={sprintf(__('%1$s: %2$s', 'pentad'), __('Link suggestions', 'pentad'), title)}
                >
                  {__('Link suggestions', 'pentad')}
                </Button>
              )}
              empty={
                <EmptyState title={__('No orphaned content', 'pentad')}>
                  {__('Pages appear here when no other page links to them.', 'pentad')}
                </EmptyState>
              }
            />
          </Section>
        </>
      )}
    </Page>
  )
}

type Found = Responses['SearchResults']

/** Suggested links for a post, with anchor text. */
function Suggestions() {
  const [params, setParams] = useSearchParams()
  const postId = Number(params.get('post')) || 0
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, 250)
  const posts = useList<Found>('wp/v2/search', { search, type: 'post', per_page: 20 })
  const chosen = useList<Found>('wp/v2/search', { include: postId, type: 'post' }, { enabled: postId > 0 })
  const suggestions = useRead<{ suggestions: readonly LinkSuggestion[] }>(
    `${SEO}/link-suggestions`,
    { postId },
    { enabled: postId > 0 },
  )
  const found = [...(posts.data?.items ?? []), ...(chosen.data?.items ?? []).filter(({ id }) => id === postId)]
  const options = new Map(found.map(({ id, title }) => [id, plainText(title)]))
  return (
    <Section title={__('Link suggestions', 'pentad')}>
      <Select
        label={__('Post', 'pentad')}
        placeholder={__('Select a post', 'pentad')}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': __('Clear selection', 'pentad') }}
        searchValue={typed}
        onSearchChange={setTyped}
        filter={({ options: all }) => all}
        nothingFoundMessage={__('No posts found', 'pentad')}
        data={[...options].map(([id, title]) => ({ value: String(id), label: title || `#${id}` }))}
        value={postId > 0 ? String(postId) : null}
        onChange={(id) => setParams(id ? { post: id } : {})}
      />
      {postId > 0 && (
        <Licensed query={suggestions} what={__('Get suggestions for internal links.', 'pentad')}>
          {({ suggestions: found }) =>
            found.length === 0 ? (
              <Text size="sm" c="dimmed">
                {__('No related pages were found that are not already linked.', 'pentad')}
              </Text>
            ) : (
              <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
                {found.map(({ postId: id, title, url, anchors }) => (
                  <li key={id}>
                    <Anchor href={url} fw={600} size="sm">
                      {title}
                    </Anchor>
                    <Group gap="xs">
                      <Text size="xs" c="dimmed">
                        {anchors.length > 0
                          ? __('Suggested anchor text', 'pentad')
                          : __('No matching text. Add the link anywhere in the content.', 'pentad')}
                      </Text>
                      {anchors.map((words) => (
                        <Badge key={words} size="sm" variant="light">
                          {words}
                        </Badge>
                      ))}
                    </Group>
                  </li>
                ))}
              </Stack>
            )
          }
        </Licensed>
      )}
    </Section>
  )
}
