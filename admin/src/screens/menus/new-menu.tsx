import { Modal, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../api/error.ts'
import { useChange, useRead } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { __ } from '../../i18n.ts'
import { FormButtons } from '../../parts/form-buttons.tsx'
import { LOCATIONS, MENUS, type MenuInfo, type MenuLocation } from './menu.ts'

interface NewMenuProps {
  readonly opened: boolean
  readonly onClose: () => void
  readonly onMade: (id: number) => void
}

export function NewMenu({ opened, onClose, onMade }: NewMenuProps) {
  const [name, setName] = useState('')
  const places = useRead<Readonly<Record<string, MenuLocation>>>(LOCATIONS)
  // The first one is that of the header.
  const [header] = Object.values(places.data ?? {})
  const locations = header?.menu === 0 ? [header.name] : []
  const create = useChange(() => change<MenuInfo>('POST', MENUS, { name, locations }), {
    invalidates: [MENUS, LOCATIONS],
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
