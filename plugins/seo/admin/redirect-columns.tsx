import { Badge, Code, Switch, Text } from '@mantine/core'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import type { Column } from 'pentad/admin/parts/data-table.tsx'
import { formatAgo, formatNumber } from 'pentad/admin/parts/format.ts'
import type { Redirect } from './routes.ts'

/** Labels of match types. */
export const MATCHES = {
  exact: __('Exact URL', 'pentad'),
  wildcard: __('Wildcard (*)', 'pentad'),
  regex: __('Regular expression', 'pentad'),
}

/** @param turn enables or disables a redirect */
export const redirectColumns = (turn: (rule: Redirect) => void): readonly Column<Redirect>[] => [
  {
    title: __('Source URL', 'pentad'),
    sort: 'source',
    cell: ({ source, match, note }) => (
      <>
        <Code>{source}</Code>{' '}
        {match !== 'exact' && (
          <Badge size="sm" variant="light">
            {MATCHES[match]}
          </Badge>
        )}
        {note && (
          <Text size="xs" c="dimmed">
            {note}
          </Text>
        )}
      </>
    ),
  },
  {
    title: __('Target URL', 'pentad'),
    cell: ({ target, status }) => (
      <>
        <Badge size="sm" variant="default" me={6}>
          {status}
        </Badge>
        {target ? <Code>{target}</Code> : __('None', 'pentad')}
      </>
    ),
  },
  { title: __('Hits', 'pentad'), sort: 'hits', align: 'end', cell: ({ hits }) => formatNumber(hits) },
  {
    title: __('Last hit', 'pentad'),
    sort: 'lastHitAt',
    isWhole: true,
    isMinor: true,
    cell: ({ lastHitAt }) => (lastHitAt ? formatAgo(lastHitAt) : '–'),
  },
  {
    title: __('Enabled', 'pentad'),
    cell: (rule) => (
      <Switch
        size="sm"
        checked={rule.enabled}
        onChange={() => turn(rule)}
        aria-label={sprintf(__('Enable redirect from %s', 'pentad'), rule.source)}
      />
    ),
  },
]
