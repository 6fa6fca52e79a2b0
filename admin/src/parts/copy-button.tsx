import { Button, CopyButton as MantineCopyButton } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { __ } from '../i18n.ts'

export function CopyButton({ value, label }: { value: string; label?: string }) {
  return (
    <MantineCopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          size="xs"
          variant="default"
          onClick={copy}
          leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
        >
          {copied ? __('Copied', 'pentad') : (label ?? __('Copy', 'pentad'))}
        </Button>
      )}
    </MantineCopyButton>
  )
}
