import { Anchor, List } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'
import { formatNumber } from 'pentad/admin/parts/format.ts'
import type { Step } from '../routes.ts'

/** The tools that the copilot used for a reply. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  const [isOpen, list] = useDisclosure()
  if (steps.length === 0) return null
  return (
    <div>
      <Anchor component="button" type="button" size="xs" onClick={list.toggle} aria-expanded={isOpen}>
        {sprintf(_n('%s tool used', '%s tools used', steps.length, 'pentad'), formatNumber(steps.length))}
      </Anchor>
      {isOpen && (
        <List size="xs" aria-label={__('Tools used', 'pentad')}>
          {steps.map(({ tool, summary }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
            <List.Item key={at} title={tool}>
              {summary}
            </List.Item>
          ))}
        </List>
      )}
    </div>
  )
}
