import { ActionIcon, Box, CloseButton, Group, Stack, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { __ } from 'pentad/admin/i18n.ts'
import type { KeyboardEvent } from 'react'
import { Composer } from './composer.tsx'
import { Conversation } from './conversation.tsx'
import classes from './copilot-panel.module.css'
import { HistoryMenu } from './history-menu.tsx'
import { useCopilot } from './use-copilot.ts'
import { useScreen } from './use-screen.ts'

/** The copilot in a side panel. A turn continues while the panel is closed. */
export default function CopilotPanel({ onClose }: { onClose: () => void }) {
  const copilot = useCopilot()
  const screen = useScreen()
  const say = (message: string) => copilot.send({ message, screen, mentions: [] })

  function onKeyDown({ key, target, currentTarget }: KeyboardEvent): void {
    // Escape first closes what is open above the panel: a menu or the list of mentions.
    const isInside = target instanceof Element && currentTarget.contains(target) && target.ariaExpanded !== 'true'
    if (key === 'Escape' && isInside) onClose()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes it from wherever the focus is in it
    <div className={classes.panel} onKeyDown={onKeyDown}>
      <Group justify="space-between" wrap="nowrap" className={classes.head}>
        <Title order={2} size="h3">
          {__('Copilot', 'pentad')}
        </Title>
        <Group gap={4} wrap="nowrap">
          <ActionIcon
            variant="subtle"
            onClick={() => copilot.show(undefined)}
            aria-label={__('New conversation', 'pentad')}
          >
            <IconPlus size={18} aria-hidden />
          </ActionIcon>
          <HistoryMenu onChoose={copilot.show} />
          <CloseButton onClick={onClose} aria-label={__('Close copilot', 'pentad')} />
        </Group>
      </Group>
      <Box className={classes.body} tabIndex={0} role="region" aria-label={__('Messages', 'pentad')}>
        {copilot.isNew ? <Beginning onSay={say} /> : <Conversation copilot={copilot} onSay={say} />}
      </Box>
      <div className={classes.foot}>
        <Composer isBusy={copilot.isBusy} onSend={copilot.send} />
      </div>
    </div>
  )
}

const IDEAS = [
  __('Which posts have no meta description? Write one for three of them.', 'pentad'),
  __('Which pages have no internal links pointing to them?', 'pentad'),
  __('What should I do next to make the site faster?', 'pentad'),
]

/** Examples for an empty conversation. */
function Beginning({ onSay }: { onSay: (message: string) => void }) {
  return (
    <>
      <Text size="sm">
        {__(
          'The copilot looks things up on your site and prepares changes. It never makes changes on its own: you review each change, then apply or discard it.',
          'pentad',
        )}
      </Text>
      <Text size="sm" mt="sm" fw={600}>
        {__('Try asking:', 'pentad')}
      </Text>
      <Stack component="ul" gap={6} mt={4} p={0} className={classes.ideas}>
        {IDEAS.map((idea) => (
          <li key={idea}>
            <button type="button" className={classes.idea} onClick={() => onSay(idea)}>
              {idea}
            </button>
          </li>
        ))}
      </Stack>
    </>
  )
}
