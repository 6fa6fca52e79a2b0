import { RingProgress, Text } from '@mantine/core'
import { __, sprintf } from '@wordpress/i18n'

/** A score of a hundred. */
export function ScoreRing({ percent, label }: { percent: number; label: string }) {
  const color = percent >= 90 ? 'teal' : percent >= 50 ? 'yellow' : 'red'
  return (
    <RingProgress
      size={120}
      thickness={10}
      roundCaps
      role="img"
      aria-label={sprintf(__('%1$s: %2$d of 100', 'pentad'), label, percent)}
      sections={[{ value: percent, color }]}
      label={
        <Text ta="center" fw={700} fz="1.5rem" aria-hidden>
          {percent}
        </Text>
      }
    />
  )
}
