import { Button, Checkbox, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useChange } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { ErrorNote } from 'pentad/admin/parts/error-note.tsx'
import { FormButtons } from 'pentad/admin/parts/form-buttons.tsx'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { CATEGORY_TEXTS } from './labels.ts'
import { CATEGORIES } from './types.ts'
import { useLocations } from './use-backup.ts'

/**
 * The button and the dialog that create a backup. The dialog is open while the URL says so, so that links can open it.
 */
export function CreateBackup({ isDisabled }: { isDisabled: boolean }) {
  const [params, setParams] = useSearchParams()
  const setOpen = (isOpen: boolean) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        isOpen ? next.set('create', '') : next.delete('create')
        return next
      },
      { replace: !isOpen },
    )
  const close = () => setOpen(false)
  return (
    <>
      <Button onClick={() => setOpen(true)} disabled={isDisabled}>
        {__('Create backup', 'pentad')}
      </Button>
      <Modal
        opened={params.has('create') && !isDisabled}
        onClose={close}
        title={__('Create backup', 'pentad')}
        size="lg"
      >
        <CreateForm onDone={close} />
      </Modal>
    </>
  )
}

function CreateForm({ onDone }: { onDone: () => void }) {
  const [title, setTitle] = useState('')
  const [contents, setContents] = useState<string[]>([...CATEGORIES])
  const [location, setLocation] = useState<string | null>(null)
  const locations = useLocations()
  const usable = locations.filter(({ configured }) => configured)
  const create = useChange(
    () =>
      change('POST', 'backup/v1/backup/create', {
        exclusions: CATEGORIES.filter((category) => !contents.includes(category)),
        ...(title.trim() !== '' && { title: title.trim() }),
        ...(location !== null && { location }),
      }),
    { invalidates: ['backup/v1/backup/overview'], done: __('Backup started.', 'pentad'), quiet: true },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(undefined, { onSuccess: onDone })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={__('Title', 'pentad')}
          description={__('A name to recognize the backup by. Leave empty to use the date.', 'pentad')}
          value={title}
          maxLength={200}
          data-autofocus
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <Checkbox.Group label={__('Contents', 'pentad')} value={contents} onChange={setContents}>
          <Stack gap="xs" mt="xs">
            {CATEGORIES.map((category) => (
              <Checkbox
                key={category}
                value={category}
                label={CATEGORY_TEXTS[category].label}
                description={CATEGORY_TEXTS[category].holds}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        {contents.length === 0 && (
          <ErrorNote
            error={new Error(__('Select at least one item to back up.', 'pentad'))}
            title={__('Nothing selected', 'pentad')}
          />
        )}
        {usable.length > 1 && (
          <Select
            label={__('Location', 'pentad')}
            data={usable.map(({ id, title: name }) => ({ value: id, label: name }))}
            value={location ?? usable.find(({ isDefault }) => isDefault)?.id ?? 'local'}
            allowDeselect={false}
            onChange={setLocation}
          />
        )}
        {create.error && <ErrorNote error={create.error} />}
        <FormButtons
          label={__('Start backup', 'pentad')}
          isBusy={create.isPending}
          isDisabled={contents.length === 0}
          onCancel={onDone}
        />
      </Stack>
    </form>
  )
}
