import { Box, Text } from '@mantine/core'
import { __ } from 'pentad/admin/i18n.ts'
import type { ReactNode } from 'react'
import classes from './chat-message.module.css'

/** A message of the conversation. */
export function ChatMessage({ by, children }: { by: 'user' | 'assistant'; children: ReactNode }) {
  return (
    <Box className={classes.said} data-by={by}>
      <Text size="xs" c="dimmed" fw={600}>
        {by === 'user' ? __('You', 'pentad') : __('Copilot', 'pentad')}
      </Text>
      {children}
    </Box>
  )
}
