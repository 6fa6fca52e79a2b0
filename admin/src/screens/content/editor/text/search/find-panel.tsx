import { ActionIcon, Affix, Button, Checkbox, CloseButton, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type Editor, useEditorState } from '@tiptap/react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { __, _n, sprintf } from '../../../../../i18n.ts'
import { notifyDone } from '../../../../../parts/notify.ts'
import { find, goToMatch, progressOf, replaceAllMatches, replaceMatch, stopFinding } from './find.ts'

interface FindPanelProps {
  readonly editor: Editor
  readonly onClose: () => void
}

/** Finds and replaces words in the text; the text can be edited meanwhile. */
export function FindPanel({ editor, onClose }: FindPanelProps) {
  const [text, setText] = useState(() => selectedText(editor))
  const [replacement, setReplacement] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const [isCaseSensitive, setCaseSensitive] = useState(false)
  const { count, current } = useEditorState({ editor, selector: ({ editor: now }) => progressOf(now) })
  useEffect(() => find(editor, { text, isCaseSensitive }), [editor, text, isCaseSensitive])
  useEffect(() => () => stopFinding(editor), [editor])

  /** Without a match the buttons are disabled, and would lose the focus. */
  function act(replace: () => void): void {
    replace()
    if (progressOf(editor).count === 0) field.current?.focus()
  }
  function replaceAll(): void {
    const replaced = replaceAllMatches(editor, replacement)
    notifyDone(sprintf(_n('%d match replaced.', '%d matches replaced.', replaced, 'pentad'), replaced))
  }
  function close(): void {
    onClose()
    editor.view.focus()
  }
  function handleKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      event.stopPropagation()
      close()
    }
  }
  /** `Enter` acts in the field; there is no form to submit. */
  const onEnter = (run: (isShift: boolean) => void) => (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    run(event.shiftKey)
  }
  return (
    <Affix position={{ top: 60, right: 12 }} zIndex={150}>
      <Paper
        withBorder
        shadow="md"
        p="sm"
        w={340}
        maw="calc(100vw - 24px)"
        role="dialog"
        aria-label={__('Find and replace', 'pentad')}
        onKeyDown={handleKey}
      >
        <Stack gap="xs">
          <Group justify="space-between" wrap="nowrap">
            <Text fw={600} size="sm">
              {__('Find and replace', 'pentad')}
            </Text>
            <CloseButton size="sm" onClick={close} aria-label={__('Close', 'pentad')} />
          </Group>
          <Group gap={4} wrap="nowrap" align="flex-end">
            <TextInput
              ref={field}
              flex={1}
              size="xs"
              label={__('Find', 'pentad')}
              autoFocus
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              onKeyDown={onEnter((isShift) => goToMatch(editor, isShift ? -1 : 1))}
            />
            <ActionIcon
              variant="default"
              size={30}
              disabled={count === 0}
              aria-label={__('Previous match', 'pentad')}
              title={__('Previous match', 'pentad')}
              onClick={() => goToMatch(editor, -1)}
            >
              <IconArrowUp size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="default"
              size={30}
              disabled={count === 0}
              aria-label={__('Next match', 'pentad')}
              title={__('Next match', 'pentad')}
              onClick={() => goToMatch(editor, 1)}
            >
              <IconArrowDown size={16} aria-hidden />
            </ActionIcon>
          </Group>
          <TextInput
            size="xs"
            label={__('Replace with', 'pentad')}
            value={replacement}
            onChange={(event) => setReplacement(event.currentTarget.value)}
            onKeyDown={onEnter(() => replaceMatch(editor, replacement))}
          />
          <Group justify="space-between">
            <Checkbox
              size="xs"
              label={__('Match case', 'pentad')}
              checked={isCaseSensitive}
              onChange={(event) => setCaseSensitive(event.currentTarget.checked)}
            />
            <Text size="xs" c="dimmed" role="status">
              {text === '' ? '' : progressText(count, current)}
            </Text>
          </Group>
          <Group gap="xs" justify="flex-end">
            <Button
              size="xs"
              variant="default"
              disabled={count === 0}
              onClick={() => act(() => replaceMatch(editor, replacement))}
            >
              {__('Replace', 'pentad')}
            </Button>
            <Button size="xs" disabled={count === 0} onClick={() => act(replaceAll)}>
              {__('Replace all', 'pentad')}
            </Button>
          </Group>
        </Stack>
      </Paper>
    </Affix>
  )
}

function progressText(count: number, current: number): string {
  if (count === 0) return __('No matches', 'pentad')
  if (current === 0) return sprintf(_n('%d match', '%d matches', count, 'pentad'), count)
  return sprintf(__('%1$d of %2$d', 'pentad'), current, count)
}

/** What is selected is what is usually looked for. */
function selectedText({ state }: Editor): string {
  const { from, to, $from, $to } = state.selection
  return $from.sameParent($to) ? state.doc.textBetween(from, to) : ''
}
