import { Alert, Button, Checkbox, CloseButton, Group, Image, Paper, ScrollArea, Stack, Text } from '@mantine/core'
import { __ } from 'pentad/admin/i18n.ts'
import { notifyFailed } from 'pentad/admin/parts/notify.ts'
import { plainText } from 'pentad/admin/parts/plain-text.ts'
import { type ReactNode, useState } from 'react'

/** A suggestion of a model. */
export type Suggestion =
  | { readonly kind: 'titles'; readonly titles: readonly string[] }
  | { readonly kind: 'content'; readonly content: string; readonly truncated?: boolean }
  | { readonly kind: 'tags'; readonly tags: readonly { readonly name: string; readonly id?: number }[] }
  | { readonly kind: 'category'; readonly category: { readonly id: number; readonly name: string } }
  | { readonly kind: 'image'; readonly attachmentId: number; readonly url: string; readonly alt: string }

interface SuggestionPanelProps {
  readonly suggestion: Suggestion
  readonly hasContent: boolean
  readonly onClose: () => void
  readonly onTitle: (title: string) => void
  /** `isAdded`: appended to the existing content. */
  readonly onContent: (content: string, isAdded: boolean) => void
  readonly onTags: (names: readonly string[]) => Promise<void>
  readonly onCategory: (id: number) => void
  readonly onImage: (attachmentId: number) => void
}

/** Shows a suggestion, to be accepted or dismissed. */
export function SuggestionPanel(props: SuggestionPanelProps) {
  const { suggestion, hasContent, onClose } = props
  const take = (act: () => void) => () => {
    act()
    onClose()
  }
  switch (suggestion.kind) {
    case 'titles':
      return (
        <Frame title={__('Titles', 'pentad')} onClose={onClose}>
          {suggestion.titles.map((title) => (
            <Button key={title} variant="default" justify="flex-start" onClick={take(() => props.onTitle(title))}>
              {title}
            </Button>
          ))}
        </Frame>
      )
    case 'content':
      return (
        <Frame title={__('Text', 'pentad')} onClose={onClose}>
          {suggestion.truncated && (
            <Alert color="yellow">
              {__('This text is incomplete because it reached the model’s length limit.', 'pentad')}
            </Alert>
          )}
          <ScrollArea.Autosize
            mah={300}
            viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': __('Text', 'pentad') }}
          >
            {paragraphs(suggestion.content).map((text) => (
              <Text key={text} size="sm" mb="xs">
                {text}
              </Text>
            ))}
          </ScrollArea.Autosize>
          <Group gap="xs">
            {hasContent && (
              <Button size="xs" onClick={take(() => props.onContent(suggestion.content, true))}>
                {__('Insert below content', 'pentad')}
              </Button>
            )}
            <Button
              size="xs"
              variant={hasContent ? 'default' : 'filled'}
              onClick={take(() => props.onContent(suggestion.content, false))}
            >
              {hasContent ? __('Replace content', 'pentad') : __('Insert', 'pentad')}
            </Button>
          </Group>
        </Frame>
      )
    case 'tags':
      return <Tags {...props} names={suggestion.tags.map(({ name }) => name)} />
    case 'category':
      return (
        <Frame title={__('Category', 'pentad')} onClose={onClose}>
          <Group>
            <Button size="xs" onClick={take(() => props.onCategory(suggestion.category.id))}>
              {suggestion.category.name}
            </Button>
          </Group>
        </Frame>
      )
    case 'image':
      return (
        <Frame title={__('Image', 'pentad')} onClose={onClose}>
          <Image
            src={new URL(suggestion.url).pathname}
            alt={suggestion.alt}
            mah={260}
            w="auto"
            fit="contain"
            radius="md"
          />
          <Text size="xs" c="dimmed">
            {suggestion.alt}
          </Text>
          <Group>
            <Button size="xs" onClick={take(() => props.onImage(suggestion.attachmentId))}>
              {__('Set as featured image', 'pentad')}
            </Button>
          </Group>
        </Frame>
      )
  }
}

function Tags({ names, onTags, onClose }: SuggestionPanelProps & { names: readonly string[] }) {
  const [chosen, setChosen] = useState<readonly string[]>(names)
  const [isBusy, setBusy] = useState(false)
  async function add(): Promise<void> {
    setBusy(true)
    try {
      await onTags(chosen)
      onClose()
    } catch (error) {
      notifyFailed(error)
      setBusy(false)
    }
  }
  return (
    <Frame title={__('Tags', 'pentad')} onClose={onClose}>
      <Checkbox.Group aria-label={__('Tags', 'pentad')} value={[...chosen]} onChange={setChosen}>
        <Group gap="sm">
          {names.map((name) => (
            <Checkbox key={name} value={name} label={name} />
          ))}
        </Group>
      </Checkbox.Group>
      <Group>
        <Button size="xs" disabled={chosen.length === 0} loading={isBusy} onClick={() => void add()}>
          {__('Add tags', 'pentad')}
        </Button>
      </Group>
    </Frame>
  )
}

function Frame({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  return (
    <Paper withBorder p="sm" role="region" aria-label={title} aria-live="polite">
      <Group justify="space-between" mb="xs">
        <Text fw={600} size="sm">
          {title}
        </Text>
        <CloseButton size="sm" aria-label={__('Dismiss', 'pentad')} onClick={onClose} />
      </Group>
      <Stack gap="xs">{children}</Stack>
    </Paper>
  )
}

/** The text of each block, for review. */
function paragraphs(html: string): string[] {
  return html
    .split(/<\/(?:p|h\d|li|blockquote|tr)>/)
    .map((part) => plainText(part).trim())
    .filter((text) => text !== '')
}
