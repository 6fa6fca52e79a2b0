import { Alert, Code, Text } from '@mantine/core'
import { __ } from '../i18n.ts'

/** Shown where a feature needs npm packages that are not installed. @param command - What installs them. */
export function InstallNote({ command }: { command: string }) {
  return (
    <Alert color="yellow" variant="light" title={__('Additional packages required', 'pentad')}>
      <Text size="sm" c="bright">
        {__(
          'On the server, run this command in the folder that Pentad is installed in, then restart Pentad:',
          'pentad',
        )}
      </Text>
      <Code block mt="xs">
        {command}
      </Code>
    </Alert>
  )
}
