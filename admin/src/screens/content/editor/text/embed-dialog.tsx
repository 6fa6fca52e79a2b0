import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { __ } from '../../../../i18n.ts'

interface EmbedDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
  readonly onSubmit: (url: string) => void
}

/** Asks for the URL to embed. */
export function EmbedDialog({ opened, onClose, onSubmit }: EmbedDialogProps) {
  const [url, setUrl] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A form nested in the form of a screen.
    event.stopPropagation()
    onSubmit(url.trim())
    setUrl('')
  }
  return (
    <Modal opened={opened} onClose={onClose} returnFocus={false} title={__('Embed', 'pentad')}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            type="url"
            required
            label={__('URL', 'pentad')}
            description={__('The URL of a video, post, or song, as shown in the browser’s address bar.', 'pentad')}
            placeholder="https://www.youtube.com/watch?v=…"
            data-autofocus
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button type="submit">{__('Embed', 'pentad')}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
