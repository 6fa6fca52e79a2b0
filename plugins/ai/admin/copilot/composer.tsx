import { Button, Checkbox, Group, Stack } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type Mention, MentionField } from '../mention-field.tsx'
import { type Asked, setPanel, usePanelState } from './panel-state.ts'
import { useScreen } from './use-screen.ts'

const LONGEST = 20_000

interface ComposerProps {
  readonly isBusy: boolean
  readonly onSend: (asked: Asked) => void
}

/** The message field of the copilot. A draft is kept when the panel is closed. */
export function Composer({ isBusy, onSend }: ComposerProps) {
  const { draft } = usePanelState()
  const screen = useScreen()
  const [tellsScreen, setTellsScreen] = useState(true)
  const [mentions, setMentions] = useState<readonly Mention[]>([])
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])

  function send(): void {
    const message = draft.trim()
    if (message === '' || isBusy) return
    onSend({ message, screen: tellsScreen ? screen : undefined, mentions: mentions.map(({ id }) => id) })
    setPanel({ draft: '' })
    setMentions([])
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    send()
  }

  return (
    <form onSubmit={submit} ref={form}>
      <Stack gap="xs">
        <MentionField
          label={__('Your message', 'pentad')}
          description={__('Press Enter to send, Shift+Enter for a new line, or @ to mention a post.', 'pentad')}
          value={draft}
          onChange={(text) => setPanel({ draft: text.slice(0, LONGEST) })}
          mentions={mentions}
          onMentions={setMentions}
          onEnter={send}
        />
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Checkbox
            size="xs"
            checked={tellsScreen}
            onChange={({ currentTarget: { checked } }) => setTellsScreen(checked)}
            label={sprintf(__('Share this page with the copilot: “%s”', 'pentad'), screen.title)}
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
