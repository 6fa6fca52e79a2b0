import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { RichTextEditor } from '@mantine/tiptap'
import { IconStack2 } from '@tabler/icons-react'
import type { Editor } from '@tiptap/react'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../../../../api/query.ts'
import { __ } from '../../../../../i18n.ts'
import { SyncedSwitch } from '../../fields/sync-status.tsx'
import { createPattern, PATTERNS } from './patterns.ts'

/** Stores the selected blocks under a name; the inserter offers them in all posts. */
export function CreatePattern({ editor }: { editor: Editor }) {
  const [title, setTitle] = useState<string>()
  const label = __('Create pattern', 'pentad')
  const close = () => setTitle(undefined)
  const [isSynced, setSynced] = useState(false)
  const create = useChange(() => createPattern(editor, title?.trim() ?? '', isSynced), {
    invalidates: [PATTERNS],
    done: __('Pattern created. Insert it like any block.', 'pentad'),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A form nested in the form of a screen.
    event.stopPropagation()
    create.mutate(undefined, { onSuccess: close })
  }
  return (
    <>
      <RichTextEditor.Control aria-label={label} title={label} onClick={() => setTitle('')}>
        <IconStack2 size={16} aria-hidden />
      </RichTextEditor.Control>
      <Modal
        opened={title !== undefined}
        onClose={close}
        // Back to the block, also from the keyboard, where the focus was on the button of the toolbar.
        returnFocus={false}
        onExitTransitionEnd={() => editor.view.focus()}
        title={label}
      >
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              required
              label={__('Name', 'pentad')}
              description={__('Stores a copy of the selected blocks.', 'pentad')}
              data-autofocus
              value={title ?? ''}
              onChange={(event) => setTitle(event.currentTarget.value)}
            />
            <SyncedSwitch checked={isSynced} onChange={setSynced} />
            <Group justify="flex-end">
              <Button type="submit" loading={create.isPending}>
                {__('Create', 'pentad')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
