import { Alert, Code, Stack, Text } from '@mantine/core'
import { __, sprintf } from '../../i18n.ts'
import { CopyButton } from '../../parts/copy-button.tsx'

interface NewPasswordProps {
  readonly name: string
  readonly password: string
  readonly role?: 'alert' | 'status'
}

/** A new application password, which cannot be shown again. */
export function NewPassword({ name, password, role = 'alert' }: NewPasswordProps) {
  return (
    <Alert color="teal" role={role} title={sprintf(__('Application password for “%s”', 'pentad'), name)}>
      <Stack gap="xs" align="flex-start">
        <Code fz="md" data-testid="application-password">
          {password}
        </Code>
        <CopyButton value={password} />
        <Text size="sm">{__('Save it in a safe place. You won’t be able to see it again.', 'pentad')}</Text>
      </Stack>
    </Alert>
  )
}
