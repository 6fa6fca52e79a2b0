import { RingProgress, Text } from '@mantine/core'
import { __, sprintf } from '../i18n.ts'

interface ScoreRingProps {
  readonly percent: number
  readonly label: string
  /** The lower limits of good and fair scores. */
  readonly good?: number
  readonly fair?: number
}

/** A score out of 100. */
export function ScoreRing({ percent, label, good = 90, fair = 50 }: ScoreRingProps) {
  const color = percent >= good ? 'teal' : percent >= fair ? 'yellow' : 'red'
  return (
    <RingProgress
      size={120}
      thickness={10}
      roundCaps
      role="img"
      aria-label={sprintf(__('%1$s: %2$d out of 100', 'pentad'), label, percent)}
      sections={[{ value: percent, color }]}
      label={
        <Text ta="center" fw={700} fz="1.5rem" aria-hidden>
          {percent}
        </Text>
      }
    />
  )
}
