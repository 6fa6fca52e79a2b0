import { Button, NumberInput, Popover, Stack, Switch, TextInput } from '@mantine/core'
import { __ } from '../../../../i18n.ts'
import { changeSetting, type DynamicSetting, type FoundBlock } from './dynamic-blocks.ts'

interface DynamicBlockSettingsProps {
  readonly found: FoundBlock
  /** Called with the HTML of the changed block. */
  readonly onChange: (html: string) => void
}

/** A button that opens the settings of a dynamic block. */
export function DynamicBlockSettings({ found, onChange }: DynamicBlockSettingsProps) {
  return (
    <Popover trapFocus returnFocus position="bottom-end" shadow="md" width={260}>
      <Popover.Target>
        <Button size="compact-xs" variant="default">
          {__('Settings', 'pentad')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={found.block.label} onKeyDown={(event) => event.stopPropagation()}>
        <Stack gap="sm">
          {found.block.settings.map((setting) => (
            <Field
              key={setting.name}
              setting={setting}
              value={found.attributes[setting.name] ?? setting.default}
              onChange={(value) => onChange(changeSetting(found, setting, value))}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

interface FieldProps {
  readonly setting: DynamicSetting
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

function Field({ setting: { kind, label }, value, onChange }: FieldProps) {
  if (kind === 'switch')
    return (
      <Switch
        size="xs"
        label={label}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  if (kind === 'text')
    return (
      <TextInput
        size="xs"
        label={label}
        value={String(value)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  return (
    <NumberInput
      size="xs"
      label={label}
      min={1}
      max={100}
      allowDecimal={false}
      value={Number(value)}
      onChange={(typed) => typeof typed === 'number' && typed > 0 && onChange(typed)}
    />
  )
}
