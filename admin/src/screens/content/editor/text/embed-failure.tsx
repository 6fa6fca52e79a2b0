import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Editor } from '@tiptap/core'
import { __, sprintf } from '../../../../i18n.ts'

interface Choice {
  readonly retry: () => void
  readonly keep: () => void
}

/** Reports that a URL could not be embedded, until the author has decided what to do. */
export function offerRetry(editor: Editor, url: string, { retry, keep }: Choice): void {
  const close = () => {
    editor.off('destroy', close)
    notifications.hide(id)
  }
  const choose = (act: () => void) => () => {
    close()
    act()
    editor.commands.focus()
  }
  const message = sprintf(__('The embed from %s could not be loaded.', 'pentad'), URL.parse(url)?.hostname ?? url)
  const id = notifications.show({
    color: 'red',
    autoClose: false,
    message: (
      <Stack gap="xs">
        <Text size="sm">{message}</Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={choose(retry)}>
            {__('Try again', 'pentad')}
          </Button>
          <Button size="xs" variant="default" onClick={choose(keep)}>
            {__('Convert to link', 'pentad')}
          </Button>
        </Group>
      </Stack>
    ),
  })
  editor.on('destroy', close)
}
