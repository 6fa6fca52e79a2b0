import { Progress, Stack, Text } from '@mantine/core'

interface ProgressBarProps {
  /** 0 to 100. */
  readonly percent: number
  /** What it is doing. */
  readonly label: string
  readonly hint?: string
}

/** How far long work has come; its label is told to screen readers as it changes. */
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
