import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useChange, useRead } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { __ } from '../../i18n.ts'
import { confirmDelete } from '../../parts/confirm.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { Section } from '../../parts/section.tsx'
import { ITEMS, LOCATIONS, MENUS, type MenuInfo, type MenuLocation } from './menu.ts'

const CHANGES = { invalidates: [MENUS, LOCATIONS] } as const

/** The name and display location of a menu, and the button that deletes it. */
export function MenuSettings({ menu, onGone }: { menu: MenuInfo; onGone: () => void }) {
  const places = useRead<Readonly<Record<string, MenuLocation>>>(LOCATIONS)
  const [name, setName] = useState(plainText(menu.name))
  const [locations, setLocations] = useState(menu.locations)
  const save = useChange(() => change('POST', `${MENUS}/${menu.id}`, { name, locations }), {
    ...CHANGES,
    done: __('Saved.', 'pentad'),
  })
  const remove = useChange(() => change('DELETE', `${MENUS}/${menu.id}`, undefined, { query: { force: true } }), {
    invalidates: [...CHANGES.invalidates, ITEMS],
    done: __('Menu deleted.', 'pentad'),
  })
  async function askAndRemove(): Promise<void> {
    const isSure = await confirmDelete(
      plainText(menu.name),
      __('Its items will also be deleted, but not the pages they link to.', 'pentad'),
    )
    if (isSure) remove.mutate(undefined, { onSuccess: onGone })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Section title={__('Menu settings', 'pentad')}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Checkbox.Group label={__('Display location', 'pentad')} value={[...locations]} onChange={setLocations}>
            <Stack gap={6} mt={6}>
              {Object.values(places.data ?? {}).map((place) => (
                <Checkbox
                  key={place.name}
                  value={place.name}
                  label={__(place.description, 'pentad')}
                  description={
                    place.menu > 0 && place.menu !== menu.id
                      ? __('This will replace the menu that is currently assigned here.', 'pentad')
                      : undefined
                  }
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <TextInput
            label={__('Menu name', 'pentad')}
            required
            maxLength={200}
            value={name}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
          <Group justify="space-between">
            <Button type="submit" loading={save.isPending}>
              {__('Save', 'pentad')}
            </Button>
            <Button variant="subtle" color="red" onClick={askAndRemove}>
              {__('Delete menu', 'pentad')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
