import { Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { __, sprintf } from '../../i18n.ts'
import { previewDate } from './php-date.ts'

interface FormatFieldProps {
  readonly label: string
  /** The PHP format characters in common formats. */
  readonly letters: string
  readonly formats: readonly string[]
  readonly value: string
  readonly onChange: (format: string) => void
  readonly error?: string | undefined
}

/** A date or time format: one of the common ones, or a custom PHP format. */
export function FormatField({ label, letters, formats, value, onChange, error }: FormatFieldProps) {
  const [isOwn, setOwn] = useState(!formats.includes(value))
  const [now] = useState(() => new Date())
  return (
    <Radio.Group
      label={label}
      error={error}
      value={isOwn ? 'own' : value}
      onChange={(chosen) => {
        setOwn(chosen === 'own')
        if (chosen !== 'own') onChange(chosen)
      }}
    >
      <Stack gap={6} mt={6}>
        {formats.map((format) => (
          <Radio key={format} value={format} label={previewDate(format, now)} />
        ))}
        <Radio value="own" label={__('Custom', 'pentad')} />
        {isOwn && (
          <Group gap="xs" align="flex-end" ps={32}>
            <TextInput
              aria-label={sprintf(__('%s: custom format', 'pentad'), label)}
              description={letters}
              size="xs"
              value={value}
              onChange={({ currentTarget }) => onChange(currentTarget.value)}
            />
            <Text size="sm" c="dimmed">
              {previewDate(value, now)}
            </Text>
          </Group>
        )}
      </Stack>
    </Radio.Group>
  )
}
