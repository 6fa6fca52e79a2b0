import {
  Checkbox,
  Group,
  JsonInput,
  NumberInput,
  PasswordInput,
  Select,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import { __, sprintf } from '../i18n.ts'
import { ColorField } from './color-field.tsx'
import { MoneyField } from './money-field.tsx'
import { exampleOf, kindOf, type SettingSchema, titleOf } from './schema.ts'
import { wordsOf } from './translate.ts'

interface SettingFieldProps {
  readonly name: string
  readonly schema: SettingSchema
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly error?: string | undefined
}

/** The placeholder for secrets in responses; sent back unchanged, it keeps the stored secret. */
const MASK = '********'

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

/** The control of a setting, generated from its schema. */
export function SettingField({ name, schema, value, onChange, error }: SettingFieldProps) {
  const shared = { label: titleOf(name, schema), description: schema.description, error, name }
  switch (kindOf(schema)) {
    case 'toggle':
      return (
        <Switch
          {...shared}
          checked={value === 'on'}
          onChange={(event) => onChange(event.currentTarget.checked ? 'on' : 'off')}
        />
      )
    case 'switch':
      return <Switch {...shared} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
    case 'choice':
      return (
        <Select
          {...shared}
          data={(schema.enum ?? []).map((one) => ({ value: String(one), label: wordsOf(one) }))}
          value={text(value)}
          allowDeselect={false}
          onChange={(chosen) => onChange((schema.enum ?? []).find((one) => String(one) === chosen))}
        />
      )
    case 'choices':
      return (
        <Checkbox.Group {...shared} value={texts(value)} onChange={onChange}>
          <Group mt={6}>
            {(schema.items?.enum ?? []).map((one) => (
              <Checkbox key={one} value={String(one)} label={wordsOf(one)} />
            ))}
          </Group>
        </Checkbox.Group>
      )
    case 'list':
      return (
        <TagsInput
          {...shared}
          value={texts(value)}
          maxTags={schema.maxItems}
          onChange={onChange}
          splitChars={[',', '\n']}
          acceptValueOnBlur
          placeholder={__('Type a value and press Enter', 'pentad')}
        />
      )
    case 'money':
      return <MoneyField {...shared} currency={text(schema.currency)} value={value} onChange={onChange} />
    case 'number':
      return (
        <NumberInput
          {...shared}
          value={typeof value === 'number' ? value : ''}
          min={schema.minimum}
          max={schema.maximum}
          clampBehavior="none"
          allowDecimal={schema.type === 'number'}
          onChange={(typed) => onChange(typed === '' ? null : typed)}
        />
      )
    case 'secret':
      return <SecretField {...shared} value={text(value)} onChange={onChange} />
    case 'color':
      return <ColorField {...shared} value={text(value)} onChange={onChange} />
    case 'lines':
      return (
        <Textarea
          {...shared}
          autosize
          minRows={3}
          maxRows={14}
          value={text(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'line':
      return <TextInput {...shared} value={text(value)} onChange={(event) => onChange(event.currentTarget.value)} />
    case 'json':
      return <JsonField {...shared} example={exampleOf(schema)} value={value} onChange={onChange} />
  }
}

interface PlainFieldProps<Value> {
  readonly label: string
  readonly name: string
  readonly description?: string | undefined
  readonly error?: string | undefined
  readonly value: Value
  readonly onChange: (value: unknown) => void
}

/** A secret is never shown; typing replaces it. */
function SecretField({ value, onChange, ...shared }: PlainFieldProps<string>) {
  const isStored = value === MASK
  return (
    <PasswordInput
      {...shared}
      autoComplete="off"
      placeholder={isStored ? __('Saved. Type to replace it.', 'pentad') : ''}
      value={isStored ? '' : value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** JSON, for values without a simpler control. */
function JsonField({
  value,
  onChange,
  example,
  description = '',
  ...shared
}: PlainFieldProps<unknown> & { readonly example: unknown }) {
  const [typed, setTyped] = useState<string>()
  const how = sprintf(__('Enter JSON, for example: %s', 'pentad'), JSON.stringify(example))
  return (
    <JsonInput
      {...shared}
      description={`${description} ${how}`}
      autosize
      minRows={3}
      maxRows={14}
      validationError={__('This is not valid JSON.', 'pentad')}
      value={typed ?? JSON.stringify(value ?? null, null, 2)}
      onBlur={() => setTyped(undefined)}
      onChange={(source) => {
        setTyped(source)
        try {
          onChange(JSON.parse(source))
        } catch {
          // Errors are shown when the field loses focus.
        }
      }}
    />
  )
}
