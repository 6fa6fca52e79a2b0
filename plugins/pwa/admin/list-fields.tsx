import { Button, Fieldset, Group, Input, Stack, TextInput } from '@mantine/core'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { ImageField } from 'pentad/admin/screens/media/image-field.tsx'
import type { SettingsDraft } from 'pentad/admin/settings/use-settings.ts'

type Entry = Readonly<Record<string, unknown>>

const entriesOf = (value: unknown): readonly Entry[] => (Array.isArray(value) ? value : [])
const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** Shortcuts in the context menu of the app icon. */
export function Shortcuts({ draft: { schema, values, fieldErrors, set } }: { draft: SettingsDraft }) {
  const shortcuts = entriesOf(values.shortcuts)
  const change = (at: number, to: Entry) =>
    set({ shortcuts: shortcuts.map((one, place) => (place === at ? { ...one, ...to } : one)) })
  return (
    <Fieldset legend={schema?.shortcuts?.title}>
      <Stack gap="xs">
        {shortcuts.map((shortcut, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing but their place
          <Group key={at} align="flex-end" gap="xs">
            <TextInput
              label={sprintf(__('Shortcut %d name', 'pentad'), at + 1)}
              value={text(shortcut.name)}
              onChange={(event) => change(at, { name: event.currentTarget.value })}
            />
            <TextInput
              label={sprintf(__('Shortcut %d URL', 'pentad'), at + 1)}
              placeholder="/"
              value={text(shortcut.url)}
              onChange={(event) => change(at, { url: event.currentTarget.value })}
            />
            <TakeAway at={at} onClick={() => set({ shortcuts: shortcuts.filter((_, place) => place !== at) })} />
          </Group>
        ))}
        {fieldErrors.shortcuts && <Refusal>{fieldErrors.shortcuts}</Refusal>}
        <Add onClick={() => set({ shortcuts: [...shortcuts, { name: '', url: '/' }] })}>
          {__('Add shortcut', 'pentad')}
        </Add>
      </Stack>
    </Fieldset>
  )
}

/** Screenshots shown in install dialogs. */
export function Screenshots({ draft: { schema, values, fieldErrors, set } }: { draft: SettingsDraft }) {
  const screenshots = entriesOf(values.screenshots)
  const change = (at: number, to: Entry) =>
    set({ screenshots: screenshots.map((one, place) => (place === at ? { ...one, ...to } : one)) })
  return (
    <Fieldset legend={schema?.screenshots?.title}>
      <Stack gap="sm">
        {screenshots.map((screenshot, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing but their place
          <Group key={at} align="flex-end" gap="md">
            <ImageField
              label={sprintf(__('Screenshot %d', 'pentad'), at + 1)}
              value={Number(screenshot.image ?? 0)}
              onChange={(image) => change(at, { image })}
            />
            <TextInput
              label={sprintf(__('Screenshot %d description', 'pentad'), at + 1)}
              value={text(screenshot.label)}
              onChange={(event) => change(at, { label: event.currentTarget.value })}
            />
            <TakeAway at={at} onClick={() => set({ screenshots: screenshots.filter((_, place) => place !== at) })} />
          </Group>
        ))}
        {fieldErrors.screenshots && <Refusal>{fieldErrors.screenshots}</Refusal>}
        <Add onClick={() => set({ screenshots: [...screenshots, { image: 0, label: '' }] })}>
          {__('Add screenshot', 'pentad')}
        </Add>
      </Stack>
    </Fieldset>
  )
}

function TakeAway({ at, onClick }: { at: number; onClick: () => void }) {
  return (
    <Button
      variant="subtle"
      color="red"
      size="xs"
      onClick={onClick}
      aria-label={sprintf(__('Delete item %d', 'pentad'), at + 1)}
    >
      {__('Delete', 'pentad')}
    </Button>
  )
}

function Add({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <div>
      <Button variant="default" size="xs" onClick={onClick}>
        {children}
      </Button>
    </div>
  )
}

function Refusal({ children }: { children: string }) {
  return <Input.Error>{children}</Input.Error>
}
