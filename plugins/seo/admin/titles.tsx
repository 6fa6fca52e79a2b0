import { Code, Group, Paper, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRead } from 'pentad/admin/api/query.ts'
import type { Responses } from 'pentad/admin/api/responses.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { Page } from 'pentad/admin/parts/page.tsx'
import { SettingsForm, type SettingsGroup } from 'pentad/admin/settings/settings-form.tsx'
import { type SettingsDraft, useSettings } from 'pentad/admin/settings/use-settings.ts'
import { SEO } from './routes.ts'
import { Snippet } from './snippet.tsx'

/** The page types of `title-preview`, with the settings that hold their templates. */
const KINDS = [
  { kind: 'home', name: __('Homepage', 'pentad'), title: 'homeTitle', description: 'homeDescription' },
  { kind: 'post', name: __('Posts', 'pentad'), title: 'postTitleTemplate', description: 'postDescriptionTemplate' },
  { kind: 'page', name: __('Pages', 'pentad'), title: 'pageTitleTemplate', description: 'pageDescriptionTemplate' },
  {
    kind: 'category',
    name: __('Categories', 'pentad'),
    title: 'categoryTitleTemplate',
    description: 'categoryDescriptionTemplate',
  },
  { kind: 'tag', name: __('Tags', 'pentad'), title: 'tagTitleTemplate', description: 'tagDescriptionTemplate' },
  {
    kind: 'author',
    name: __('Authors', 'pentad'),
    title: 'authorTitleTemplate',
    description: 'authorDescriptionTemplate',
  },
  {
    kind: 'attachment',
    name: __('Attachments', 'pentad'),
    title: 'attachmentTitleTemplate',
    description: 'attachmentDescriptionTemplate',
  },
  { kind: 'date', name: __('Date archives', 'pentad'), title: 'dateTitleTemplate' },
  { kind: 'archive', name: __('Post type archives', 'pentad'), title: 'archiveTitleTemplate' },
  { kind: 'search', name: __('Search results', 'pentad'), title: 'searchTitleTemplate' },
  { kind: 'notFound', name: __('404 page', 'pentad'), title: 'notFoundTitleTemplate' },
] as const

type Kind = (typeof KINDS)[number]

const GROUPS: readonly SettingsGroup[] = [
  { title: __('Title separator', 'pentad'), keys: ['titleSeparator'] },
  ...KINDS.map(({ name, title }) => ({ title: name, keys: [title] })),
  {
    title: __('Other post types and taxonomies', 'pentad'),
    keys: ['typeTitleTemplates', 'typeDescriptionTemplates'],
  },
]

const FIELDS = Object.fromEntries(
  KINDS.map((kind) => [kind.title, (draft: SettingsDraft) => <Templates kind={kind} draft={draft} />]),
)

export default function SeoTitles() {
  const draft = useSettings('seo')
  return (
    <Page
      title={__('Titles and meta', 'pentad')}
      description={__('Titles and meta descriptions in search results. Individual posts can override them.', 'pentad')}
    >
      <Variables />
      <SettingsForm draft={draft} groups={GROUPS} fields={FIELDS} />
    </Page>
  )
}

/** The templates of a page type, with a preview. */
function Templates({ kind, draft }: { kind: Kind; draft: SettingsDraft }) {
  const { values, fieldErrors, set } = draft
  const text = (key: string) => String(values[key] ?? '')
  const description = 'description' in kind ? kind.description : undefined
  return (
    <Group align="flex-start" gap="lg">
      <Stack style={{ flex: '1 1 20rem' }}>
        <TextInput
          label={sprintf(__('Title: %s', 'pentad'), kind.name)}
          name={kind.title}
          error={fieldErrors[kind.title]}
          value={text(kind.title)}
          onChange={(event) => set({ [kind.title]: event.currentTarget.value })}
        />
        {description && (
          <Textarea
            label={sprintf(__('Description: %s', 'pentad'), kind.name)}
            name={description}
            description={__('Leave empty to generate it from the content.', 'pentad')}
            error={fieldErrors[description]}
            autosize
            minRows={2}
            value={text(description)}
            onChange={(event) => set({ [description]: event.currentTarget.value })}
          />
        )}
      </Stack>
      <div style={{ flex: '1 1 20rem', minWidth: 0 }}>
        <Preview
          kind={kind.kind}
          title={text(kind.title)}
          description={description ? text(description) : ''}
          separator={text('titleSeparator')}
        />
      </div>
    </Group>
  )
}

type Shown = Responses['POST /seo/v1/title-preview']

function Preview(templates: { kind: string; title: string; description: string; separator: string }) {
  const [asked] = useDebouncedValue(templates, 250)
  const { data, error } = useQuery({
    queryKey: [`${SEO}/title-preview`, asked],
    queryFn: ({ signal }) => change<Shown>('POST', `${SEO}/title-preview`, asked, { signal }),
    placeholderData: keepPreviousData,
  })
  if (error) {
    return (
      <Text size="sm" c="dimmed">
        {__('No preview available.', 'pentad')}
      </Text>
    )
  }
  return <Snippet {...(data ?? { url: '', title: '…', description: '', siteName: '' })} />
}

/** The variables of templates. */
function Variables() {
  const { data } = useRead<{ variables: readonly { name: string; description: string }[] }>(`${SEO}/title-variables`)
  if (!data) return null
  return (
    <Paper withBorder p="md" component="details">
      <Text component="summary" fw={600} style={{ cursor: 'pointer' }}>
        {__('Available variables', 'pentad')}
      </Text>
      <Group gap="xs" mt="sm" component="ul" p={0} style={{ listStyle: 'none' }}>
        {data.variables.map(({ name, description }) => (
          <Text key={name} size="sm" component="li" style={{ flex: '1 1 20rem' }}>
            <Code>%{name}%</Code> {description}
          </Text>
        ))}
      </Group>
    </Paper>
  )
}
