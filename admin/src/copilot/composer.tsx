import { Button, Checkbox, Group, Stack, Textarea } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { __, sprintf } from '@wordpress/i18n'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { setPanel, usePanelState } from './panel-state.ts'
import { type ShownScreen, useScreen } from './use-screen.ts'

const LONGEST = 20_000

interface ComposerProps {
  readonly isBusy: boolean
  readonly onSend: (message: string, screen: ShownScreen | undefined) => void
}

/** Where one writes to the copilot. What was typed stays when the panel is closed. */
export function Composer({ isBusy, onSend }: ComposerProps) {
  const { draft } = usePanelState()
  const screen = useScreen()
  const [tellsScreen, setTellsScreen] = useState(true)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])

  function send(): void {
    const message = draft.trim()
    if (message === '' || isBusy) return
    onSend(message, tellsScreen ? screen : undefined)
    setPanel({ draft: '' })
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    send()
  }
  function onKeyDown(event: KeyboardEvent): void {
    // Enter also ends the writing of a character in Chinese or Japanese.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Textarea
          ref={field}
          label={__('Your message', 'pentad')}
          description={__('Enter sends, Shift+Enter begins a new line.', 'pentad')}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={LONGEST}
          dir="auto"
          value={draft}
          onChange={({ currentTarget: { value } }) => setPanel({ draft: value })}
          onKeyDown={onKeyDown}
        />
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Checkbox
            size="xs"
            checked={tellsScreen}
            onChange={({ currentTarget: { checked } }) => setTellsScreen(checked)}
            label={sprintf(__('Tell it that I look at “%s”', 'pentad'), screen.title)}
          />
          <Button
            type="submit"
            size="compact-sm"
            flex="none"
            disabled={draft.trim() === ''}
            loading={isBusy}
            leftSection={<IconSend size={14} aria-hidden />}
          >
            {__('Send', 'pentad')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
