import { CloseButton, Group, Title } from '@mantine/core'
import { __ } from '@wordpress/i18n'

/** The copilot beside a screen. */
export default function CopilotPanel({ onClose }: { onClose: () => void }) {
  return (
    <Group p="md" justify="space-between">
      <Title order={2}>{__('Copilot', 'pentad')}</Title>
      <CloseButton onClick={onClose} aria-label={__('Close', 'pentad')} />
    </Group>
  )
}
