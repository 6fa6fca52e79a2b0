import { Text, Textarea, TextInput } from '@mantine/core'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'

interface CountedFieldProps {
  readonly label: string
  readonly description?: string
  readonly value: string
  /** The value used if the field is empty. */
  readonly usual?: string
  /** Recommended maximum length. */
  readonly room: number
  readonly isLong?: boolean
  readonly maxLength: number
  readonly onChange: (value: string) => void
}

/** A text field that shows how many characters are left. */
export function CountedField({ room, isLong = false, usual = '', value, onChange, ...shared }: CountedFieldProps) {
  const length = [...(value || usual)].length
  const left = room - length
  const counter = (
    <Text
      span
      size="xs"
      c={left < 0 ? 'var(--mantine-color-orange-light-color)' : 'dimmed'}
      fw={left < 0 ? 600 : undefined}
    >
      {left >= 0
        ? sprintf(_n('%d character left', '%d characters left', left, 'pentad'), left)
        : sprintf(_n('%d character over the limit', '%d characters over the limit', -left, 'pentad'), -left)}
      {value === '' && usual !== '' && ` · ${__('generated automatically', 'pentad')}`}
    </Text>
  )
  const common = { ...shared, value, placeholder: usual, inputWrapperOrder: ORDER, description: counter }
  return isLong ? (
    <Textarea {...common} autosize minRows={2} maxRows={5} onChange={(event) => onChange(event.currentTarget.value)} />
  ) : (
    <TextInput {...common} onChange={(event) => onChange(event.currentTarget.value)} />
  )
}

const ORDER: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']
