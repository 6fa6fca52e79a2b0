import { Button, Group, Modal, Stack, Textarea } from '@mantine/core'
import { RichTextEditor } from '@mantine/tiptap'
import { IconAlt } from '@tabler/icons-react'
import { type Editor, useEditorState } from '@tiptap/react'
import { type FormEvent, useState } from 'react'
import { __ } from '../../../../i18n.ts'

/** Edits the alternative text of the selected image in the content; the file in the media library keeps its own. */
export function ImageDescription({ editor }: { editor: Editor }) {
  const [typed, setTyped] = useState<string>()
  const alt = useEditorState({ editor, selector: ({ editor: now }) => altOf(now) })
  const close = () => setTyped(undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A form nested in the form of a screen.
    event.stopPropagation()
    const text = typed?.trim() ?? ''
    const { image } = editor.getAttributes('figure')
    if (editor.isActive('image')) editor.commands.updateAttributes('image', { alt: text })
    else editor.commands.updateAttributes('figure', { image: { ...image, alt: text } })
    close()
  }
  return (
    <>
      <RichTextEditor.Control
        disabled={alt === undefined}
        onClick={() => setTyped(alt)}
        aria-label={__('Alternative text', 'pentad')}
        title={__('Alternative text', 'pentad')}
      >
        <IconAlt size={16} aria-hidden />
      </RichTextEditor.Control>
      <Modal opened={typed !== undefined} onClose={close} title={__('Image', 'pentad')}>
        <form onSubmit={submit}>
          <Stack>
            <Textarea
              label={__('Alternative text', 'pentad')}
              description={__(
                'Describe the purpose of the image. Leave empty if the image is purely decorative.',
                'pentad',
              )}
              data-autofocus
              autosize
              value={typed ?? ''}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <Group justify="flex-end">
              <Button type="submit">{__('Apply', 'pentad')}</Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}

/** `undefined` if no image is selected. */
function altOf(editor: Editor): string | undefined {
  if (editor.isActive('image')) return String(editor.getAttributes('image').alt ?? '')
  if (editor.isActive('figure')) return String(editor.getAttributes('figure').image?.alt ?? '')
}
