import { Modal, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../api/error.ts'
import { useChange } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { __ } from '../../i18n.ts'
import { FormButtons } from '../../parts/form-buttons.tsx'
import { MENUS, type MenuInfo } from './menu.ts'

interface NewMenuProps {
  readonly opened: boolean
  readonly onClose: () => void
  readonly onMade: (id: number) => void
}

export function NewMenu({ opened, onClose, onMade }: NewMenuProps) {
  const [name, setName] = useState('')
  const create = useChange(() => change<MenuInfo>('POST', MENUS, { name }), {
    invalidates: [MENUS],
    done: __('Menu created. Add its first items.', 'pentad'),
    quiet: true,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(undefined, {
      onSuccess: ({ id }) => {
        setName('')
        onMade(id)
        onClose()
      },
    })
  }
  return (
    <Modal opened={opened} onClose={onClose} title={__('New menu', 'pentad')}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={__('Menu name', 'pentad')}
            description={__('Visitors don’t see this name.', 'pentad')}
            required
            data-autofocus
            maxLength={200}
            value={name}
            error={create.error && messageOf(create.error)}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
          <FormButtons label={__('Create menu', 'pentad')} isBusy={create.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
