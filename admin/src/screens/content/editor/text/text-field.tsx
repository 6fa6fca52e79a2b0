import { Alert, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { __, sprintf } from '../../../../i18n.ts'
import { isVisual } from './open-content.ts'
import classes from './rich-text.module.css'
import { RichText } from './rich-text.tsx'

type Mode = 'text' | 'html'

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Blocks in a visual or HTML editor. Content that is not a sequence of blocks opens as HTML. */
export function TextField({ label, value, onChange }: TextFieldProps) {
  const [mode, setMode] = useState<Mode>(() => (isVisual(value) ? 'text' : 'html'))
  const [isWarned, setWarned] = useState(mode === 'html')
  function choose(wanted: string): void {
    const isRefused = wanted === 'text' && !isVisual(value)
    setWarned(isRefused)
    if (!isRefused) setMode(wanted === 'html' ? 'html' : 'text')
  }
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text fw={600} size="sm">
          {label}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={__('Editing mode', 'pentad')}
          value={mode}
          onChange={choose}
          data={[
            { value: 'text', label: __('Visual', 'pentad') },
            { value: 'html', label: __('HTML', 'pentad') },
          ]}
        />
      </Group>
      {isWarned && (
        <Alert color="blue" icon={<IconInfoCircle aria-hidden />} role="status">
          {__(
            'This content contains HTML that the visual editor would change, so it opens in HTML mode. Nothing is lost.',
            'pentad',
          )}
        </Alert>
      )}
      {mode === 'text' ? (
        <RichText label={label} value={value} onChange={onChange} />
      ) : (
        <Textarea
          className={classes.html}
          aria-label={sprintf(__('%s (HTML)', 'pentad'), label)}
          autosize
          minRows={16}
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Stack>
  )
}
