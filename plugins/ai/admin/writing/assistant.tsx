import { Anchor, Button, Group, Paper, Select, Stack, Text } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import type { EditorFieldsProps } from 'pentad/admin'
import { useChange, useRead } from 'pentad/admin/api/query.ts'
import type { Responses } from 'pentad/admin/api/responses.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { can } from 'pentad/admin/page-data.ts'
import { ErrorNote } from 'pentad/admin/parts/error-note.tsx'
import { findOrMakeTerm } from 'pentad/admin/screens/content/editor/fields/tag-input.tsx'
import { hasField } from 'pentad/admin/screens/content/editor/fields.ts'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { type Mention, MentionField } from '../mention-field.tsx'
import type { Providers } from '../routes.ts'
import { type Suggestion, SuggestionPanel } from './suggestion.tsx'

type Capability = Responses['GET /ai/v1/image-capability']

/** Suggests title, text, tags, category, and image. Nothing changes until the user accepts a suggestion. */
export function Assistant(props: EditorFieldsProps) {
  return can('edit_posts') && <Suggestions {...props} />
}

function Suggestions({ type, taxonomies, edited }: EditorFieldsProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <Paper withBorder p="xs">
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconSparkles size={16} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen((before) => !before)}
      >
        {__('Write with AI', 'pentad')}
      </Button>
      <div id={id}>{isOpen && <AssistantPanel type={type} taxonomies={taxonomies} edited={edited} />}</div>
    </Paper>
  )
}

function AssistantPanel({ type, taxonomies, edited }: EditorFieldsProps) {
  const suggestId = useId()
  const { fields, post, set, setTerms } = edited
  const [brief, setBrief] = useState('')
  const [mentions, setMentions] = useState<readonly Mention[]>([])
  const [length, setLength] = useState('medium')
  const [suggestion, setSuggestion] = useState<Suggestion>()
  const image = useRead<Capability>('ai/v1/image-capability')
  const providers = useRead<Providers>('ai/v1/providers', undefined, { enabled: can('manage_options') })
  const hasText = fields.title.trim() !== '' || fields.content.trim() !== ''
  const tags = taxonomies.find(({ slug }) => slug === 'post_tag')
  const categories = taxonomies.find(({ slug }) => slug === 'category')

  const context = mentions.map((mention) => ({ id: mention.id }))
  const request = { ...(brief.trim() !== '' && { brief }), context }
  const written = {
    ...(post && { postId: post.id }),
    ...(fields.title.trim() !== '' && { title: fields.title }),
    content: fields.content,
  }
  const ask = useChange(
    async (kind: Suggestion['kind']): Promise<Suggestion> => {
      const ask = <Result,>(route: string, body: unknown) => change<Result>('POST', `ai/v1/${route}`, body)
      switch (kind) {
        case 'titles': {
          const { title, alternatives } = await ask<{ title: string; alternatives: string[] }>('generate-title', {
            ...{ ...written, ...request },
          })
          return { kind, titles: [title, ...alternatives] }
        }
        case 'content':
          return {
            kind,
            ...(await ask<{ content: string; truncated?: boolean }>('generate-content', {
              ...request,
              length,
              ...(fields.title !== '' && { title: fields.title }),
            })),
          }
        case 'tags':
          return { kind, ...(await ask<{ tags: { name: string; id?: number }[] }>('generate-tags', written)) }
        case 'category':
          return { kind, ...(await ask<{ category: { id: number; name: string } }>('generate-categories', written)) }
        case 'image':
          return {
            kind,
            ...(await ask<{ attachmentId: number; url: string; alt: string }>('generate-featured-image', {
              ...written,
              ...request,
            })),
          }
      }
    },
    { quiet: true },
  )
  const button = (kind: Suggestion['kind'], label: string, isEnabled: boolean) => (
    <Button
      size="xs"
      variant="light"
      disabled={!isEnabled || (ask.isPending && ask.variables !== kind)}
      loading={ask.isPending && ask.variables === kind}
      onClick={() => ask.mutate(kind, { onSuccess: setSuggestion })}
    >
      {label}
    </Button>
  )
  const mayDraw = type.supports.thumbnail === true && can('upload_files')
  if (providers.data && !providers.data.choices.text) {
    return (
      <Text size="sm" p="xs">
        {__('No AI provider is connected yet.', 'pentad')}{' '}
        <Anchor component={Link} to="/ai" size="sm">
          {__('Connect a provider', 'pentad')}
        </Anchor>
      </Text>
    )
  }
  return (
    <Stack gap="sm" p="xs">
      <MentionField
        label={__('What’s it about?', 'pentad')}
        description={__('Type @ to mention a post or page for the AI to read.', 'pentad')}
        value={brief}
        onChange={setBrief}
        mentions={mentions}
        onMentions={setMentions}
      />
      <Group gap="xs" role="group" aria-labelledby={suggestId}>
        <Text id={suggestId} size="sm">
          {__('Suggest:', 'pentad')}
        </Text>
        {button('titles', __('Title', 'pentad'), hasText || brief.trim() !== '')}
        {hasField(type, 'content') && button('content', __('Text', 'pentad'), brief.trim() !== '')}
        {tags && button('tags', tags.name, hasText)}
        {categories && button('category', categories.labels.singular_name ?? categories.name, hasText)}
        {mayDraw && image.data?.available && button('image', __('Image', 'pentad'), hasText || brief.trim() !== '')}
        <Select
          size="xs"
          w={150}
          aria-label={__('Text length', 'pentad')}
          allowDeselect={false}
          value={length}
          onChange={(value) => setLength(value ?? 'medium')}
          data={[
            { value: 'short', label: __('Short text', 'pentad') },
            { value: 'medium', label: __('Medium text', 'pentad') },
            { value: 'long', label: __('Long text', 'pentad') },
          ]}
        />
      </Group>
      {mayDraw && image.data?.available === false && (
        <Text size="xs" c="dimmed">
          {image.data.reason}
        </Text>
      )}
      {ask.error && <ErrorNote error={ask.error} />}
      {suggestion && (
        <SuggestionPanel
          key={JSON.stringify(suggestion)}
          suggestion={suggestion}
          hasContent={fields.content.trim() !== ''}
          onClose={() => setSuggestion(undefined)}
          onTitle={(title) => set({ title })}
          onContent={(content, isAdded) => set({ content: isAdded ? `${fields.content}\n\n${content}` : content })}
          onCategory={(one) =>
            categories &&
            setTerms(categories.rest_base, [...new Set([...(fields.terms[categories.rest_base] ?? []), one])])
          }
          onTags={async (names) => {
            if (!tags) return
            const terms = await Promise.all(names.map((name) => findOrMakeTerm(`wp/v2/${tags.rest_base}`, name)))
            const before = fields.terms[tags.rest_base] ?? []
            setTerms(tags.rest_base, [...new Set([...before, ...terms.map((term) => term.id)])])
          }}
          onImage={(attachment) => set({ featured_media: attachment })}
        />
      )}
    </Stack>
  )
}
