import { Button, Group, Image, Modal, Stack, Textarea } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { type FormEvent, useState } from 'react'
import { __ } from '../../../../i18n.ts'
import { altOf, selectedImage, setAlt } from './selected-image.ts'

interface ImageDescriptionProps {
  readonly editor: Editor
  readonly onClose: () => void
  /** Called after the text has been stored; may select another image. */
  readonly onApplied: (pos: number) => void
}

/** Edits the alternative text of the selected image in the content; the file in the media library keeps its own. */
export function ImageDescription({ editor, onClose, onApplied }: ImageDescriptionProps) {
  const image = selectedImage(editor)
  const [typed, setTyped] = useState(image ? altOf(image.node) : '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A form nested in the form of a screen.
    event.stopPropagation()
    if (!image) return
    setAlt(editor, image, typed.trim())
    onApplied(image.pos)
  }
  return (
    <Modal opened onClose={onClose} title={__('Image', 'pentad')}>
      <form onSubmit={submit}>
        <Stack>
          <Image src={image?.node.attrs.image?.src ?? image?.node.attrs.src} alt="" mah={240} w="auto" fit="contain" />
          <Textarea
            label={__('Alternative text', 'pentad')}
            description={__(
              'Describe the purpose of the image. Leave empty if the image is purely decorative.',
              'pentad',
            )}
            data-autofocus
            autosize
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => {
              // An alternative text has no lines.
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
              event.preventDefault()
              event.currentTarget.form?.requestSubmit()
            }}
          />
          <Group justify="flex-end">
            <Button type="submit">{__('Apply', 'pentad')}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
