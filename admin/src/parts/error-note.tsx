import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { messageOf } from '../api/error.ts'
import { __ } from '../i18n.ts'

/** An inline error message, with a retry button if `onRetry` is given. */
export function ErrorNote({ error, onRetry, title }: { error: unknown; onRetry?: () => void; title?: string }) {
  return (
    <Alert
      color="red"
      role="alert"
      icon={<IconAlertTriangle aria-hidden />}
      title={title ?? __('Something went wrong', 'pentad')}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{messageOf(error)}</Text>
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {__('Try again', 'pentad')}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
