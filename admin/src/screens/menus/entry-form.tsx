import { Checkbox, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useChange } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { __ } from '../../i18n.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { FormButtons } from '../../parts/form-buttons.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { useFields } from '../../parts/use-fields.ts'
import { ITEMS, type MenuItemInfo } from './menu.ts'

/** Edits a menu item. */
export function EntryForm({ item, onClose }: { item: MenuItemInfo | undefined; onClose: () => void }) {
  return (
    <Modal opened={item !== undefined} onClose={onClose} title={__('Menu item', 'pentad')}>
      {item && <Fields key={item.id} item={item} onClose={onClose} />}
    </Modal>
  )
}

function Fields({ item, onClose }: { item: MenuItemInfo; onClose: () => void }) {
  const isCustom = item.type === 'custom'
  const { fields, set, field } = useFields({
    title: item.title.raw ?? '',
    url: item.url,
    attr_title: item.attr_title,
    description: item.description,
    classes: item.classes.join(' '),
    xfn: item.xfn.join(' '),
    target: item.target,
  })
  const { url, ...rest } = fields
  const save = useChange(() => change('POST', `${ITEMS}/${item.id}`, isCustom ? fields : rest), {
    invalidates: [ITEMS],
    done: __('Saved.', 'pentad'),
    quiet: true,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(undefined, { onSuccess: onClose })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {save.error && <ErrorNote error={save.error} />}
        <TextInput
          label={__('Navigation label', 'pentad')}
          description={isCustom ? undefined : __('Leave empty to use the title of the linked content.', 'pentad')}
          placeholder={isCustom ? '' : plainText(item.title.rendered)}
          required={isCustom}
          data-autofocus
          {...field('title')}
        />
        {isCustom ? (
          <TextInput label={__('URL', 'pentad')} required {...field('url')} />
        ) : (
          <Text size="sm" c="dimmed">
            {item.invalid
              ? __('The linked content is no longer published, so visitors don’t see this item.', 'pentad')
              : url}
          </Text>
        )}
        <Checkbox
          label={__('Open link in a new tab', 'pentad')}
          checked={fields.target === '_blank'}
          onChange={({ currentTarget: { checked } }) => set({ target: checked ? '_blank' : '' })}
        />
        <TextInput
          label={__('Title attribute', 'pentad')}
          description={__('Shown when visitors hover over the link.', 'pentad')}
          {...field('attr_title')}
        />
        <Textarea
          label={__('Description', 'pentad')}
          description={__('Shown in the menu if the theme supports it.', 'pentad')}
          autosize
          {...field('description')}
        />
        <Group grow>
          <TextInput label={__('CSS classes', 'pentad')} {...field('classes')} />
          <TextInput label={__('Link relationship (rel)', 'pentad')} placeholder="nofollow" {...field('xfn')} />
        </Group>
        <FormButtons label={__('Save', 'pentad')} isBusy={save.isPending} onCancel={onClose} />
      </Stack>
    </form>
  )
}
