import { Progress, Stack, Text } from '@mantine/core'

interface ProgressBarProps {
  /** 0 to 100. */
  readonly percent: number
  /** The current step. */
  readonly label: string
  readonly hint?: string
}

/** The progress of a long task; screen readers announce changes to the label. */
export function ProgressBar({ percent, label, hint }: ProgressBarProps) {
  return (
    <Stack gap={4}>
      <Text size="sm" aria-live="polite">
        {label}
      </Text>
      <Progress.Root size="lg">
        <Progress.Section value={percent} animated={percent < 100} aria-label={label} />
      </Progress.Root>
      {hint && (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
    </Stack>
  )
}
