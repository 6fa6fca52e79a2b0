import { Button, Group, PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { __ } from '../../i18n.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { newPassword } from './user.ts'

interface PasswordFieldProps {
  readonly label: string
  readonly description?: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly required?: boolean
  readonly error?: string | undefined
}

/** A password field with a generator. */
export function PasswordField({ value, onChange, ...shared }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  return (
    <div>
      <PasswordInput
        {...shared}
        autoComplete="new-password"
        value={value}
        visible={isShown}
        onVisibilityChange={setShown}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <Group gap="xs" mt={6}>
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            onChange(newPassword())
            setShown(true)
          }}
        >
          {__('Generate password', 'pentad')}
        </Button>
        {value !== '' && isShown && <CopyButton value={value} />}
      </Group>
    </div>
  )
}
