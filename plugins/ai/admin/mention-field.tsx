import { Combobox, Group, Pill, Text, Textarea, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useRead } from 'pentad/admin/api/query.ts'
import type { Responses } from 'pentad/admin/api/responses.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { useState } from 'react'

/** A post mentioned in a text. */
export interface Mention {
  readonly id: number
  readonly title: string
}

type Found = Responses['GET /ai/v1/context/search']['items'][number]

interface MentionFieldProps {
  readonly label: string
  readonly description?: string
  readonly placeholder?: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly mentions: readonly Mention[]
  readonly onMentions: (mentions: readonly Mention[]) => void
  readonly minRows?: number
  /** Called on Enter alone, for fields that submit on Enter. */
  readonly onEnter?: () => void
}

/** The text between an @ and the caret. */
const ASKED = /(?:^|\s)@([^@\n]{0,60})$/

/** A text field in which `@` searches for posts and pages to mention. */
export function MentionField(props: MentionFieldProps) {
  const { value, onChange, mentions, onMentions, onEnter, minRows = 2, ...shared } = props
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const [words, setWords] = useState<string>()
  const [asked] = useDebouncedValue(words, 200)
  const found = useRead<{ readonly items: readonly Found[] }>(
    'ai/v1/context/search',
    { query: asked ?? '', limit: 8 },
    { enabled: asked !== undefined },
  )
  const items = words === undefined ? [] : (found.data?.items ?? [])

  function look(text: string, caret: number): void {
    const now = ASKED.exec(text.slice(0, caret))?.[1]
    setWords(now)
    if (now === undefined) combobox.closeDropdown()
    else combobox.openDropdown()
  }
  function choose(id: string): void {
    const item = items.find((one) => String(one.id) === id)
    if (!item) return
    const end = value.lastIndexOf(`@${words ?? ''}`)
    onChange(`${value.slice(0, end)}“${item.title}” ${value.slice(end + 1 + (words ?? '').length)}`)
    if (!mentions.some((one) => one.id === item.id)) onMentions([...mentions, { id: item.id, title: item.title }])
    setWords(undefined)
    combobox.closeDropdown()
  }
  return (
    <Combobox store={combobox} onOptionSubmit={choose} position="bottom-start">
      <Combobox.EventsTarget withExpandedAttribute>
        <Textarea
          {...shared}
          autosize
          minRows={minRows}
          maxRows={10}
          value={value}
          onChange={({ currentTarget }) => {
            onChange(currentTarget.value)
            look(currentTarget.value, currentTarget.selectionStart)
          }}
          onBlur={() => combobox.closeDropdown()}
          onKeyDown={(event) => {
            // In Chinese and Japanese, Enter also ends the composition of a character.
            const isWriting = event.shiftKey || event.nativeEvent.isComposing || combobox.dropdownOpened
            if (event.key !== 'Enter' || isWriting || !onEnter) return
            event.preventDefault()
            onEnter()
          }}
        />
      </Combobox.EventsTarget>
      <Combobox.DropdownTarget>
        <Group gap={4} mt={mentions.length > 0 ? 6 : 0}>
          {mentions.map(({ id, title }) => (
            <Pill
              key={id}
              withRemoveButton
              removeButtonProps={{
                'aria-label': sprintf(__('Remove the mention of “%s”', 'pentad'), title),
                'aria-hidden': false,
                tabIndex: 0,
              }}
              onRemove={() => onMentions(mentions.filter((one) => one.id !== id))}
            >
              {title}
            </Pill>
          ))}
        </Group>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown hidden={words === undefined}>
        <Combobox.Options mah={240} style={{ overflowY: 'auto' }} aria-label={__('Posts and pages', 'pentad')}>
          {items.length === 0 && <Combobox.Empty>{__('No results found', 'pentad')}</Combobox.Empty>}
          {items.map(({ id, title, type }) => (
            <Combobox.Option key={id} value={String(id)}>
              <Text size="sm" truncate>
                {title || `#${id}`}
              </Text>
              <Text size="xs" c="dimmed">
                {type}
              </Text>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
