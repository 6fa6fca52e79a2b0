import { Button, Group, Paper, Text } from '@mantine/core'
import { __ } from '../i18n.ts'
import { idle } from './idle.ts'

interface SaveBarProps {
  readonly isDirty: boolean
  readonly isSaving: boolean
  readonly onDiscard: () => void
}

/** The sticky buttons of a form that is saved as a whole. */
export function SaveBar({ isDirty, isSaving, onDiscard }: SaveBarProps) {
  return (
    <Paper withBorder px="md" py="sm" pos="sticky" bottom={8} style={{ zIndex: 2 }}>
      <Group gap="xs">
        <Button
          type="submit"
          loading={isSaving}
          {...idle(!isDirty)}
          onClick={(event) => {
            if (!isDirty) event.preventDefault()
          }}
        >
          {__('Save changes', 'pentad')}
        </Button>
        <Button
          variant="subtle"
          px={{ base: 'xs', xs: 'md' }}
          onClick={() => isDirty && onDiscard()}
          disabled={isSaving}
          {...idle(!isDirty)}
        >
          {__('Discard changes', 'pentad')}
        </Button>
        <Text size="sm" c="dimmed" aria-live="polite">
          {isDirty ? __('You have unsaved changes.', 'pentad') : ''}
        </Text>
      </Group>
    </Paper>
  )
}
