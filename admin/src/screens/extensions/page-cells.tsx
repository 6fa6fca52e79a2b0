import { Anchor, Button, Code } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { invalidate } from '../../api/query.ts'
import { __ } from '../../i18n.ts'
import { formatNumber, formatTime } from '../../parts/format.ts'
import { isShown, memberOf, textOf } from './member.ts'
import { namespaceOf, type PartOf } from './part.ts'
import { RouteButton } from './route-button.tsx'

type TableColumn = PartOf<'table'>['columns'][number]

/** The URL of a row's view, or of the list (`item` empty), which keeps its page and search. */
export function linkTo(params: URLSearchParams, item: string): string {
  const next = new URLSearchParams(params)
  item === '' ? next.delete('item') : next.set('item', item)
  return `?${next}`
}

interface RowButtonsProps {
  readonly actions: NonNullable<PartOf<'table'>['actions']>
  readonly row: unknown
  readonly size: 'compact-xs' | 'sm'
}

/** The buttons of a row of a table, which the view of the row has too. */
export function RowButtons({ actions, row, size }: RowButtonsProps) {
  const client = useQueryClient()
  const shown = actions.filter((button) => isShown(button, row))
  return shown.map((button) => (
    <RouteButton
      key={button.label}
      button={button}
      row={(key) => textOf(memberOf(row, key))}
      onDone={() => void invalidate(client, [namespaceOf(button.route)])}
    >
      {({ run, isRunning }) => (
        <Button
          size={size}
          variant="light"
          loading={isRunning}
          onClick={run}
          {...(button.destructive ? { color: 'red' } : {})}
        >
          {button.label}
        </Button>
      )}
    </RouteButton>
  ))
}

/** A value as its column formats it. */
export function cellOf(value: unknown, { format = 'text' }: TableColumn): ReactNode {
  switch (format) {
    case 'number':
      return typeof value === 'number' ? formatNumber(value) : textOf(value)
    case 'date':
      return typeof value === 'string' ? formatTime(value) : textOf(value)
    case 'boolean':
      return value ? __('Yes', 'pentad') : __('No', 'pentad')
    case 'link':
      return typeof value === 'string' && /^(https?:\/\/|\/(?![/\\]))/i.test(value) ? (
        <Anchor href={value} size="sm">
          {value}
        </Anchor>
      ) : (
        textOf(value)
      )
    case 'code':
      return <Code>{textOf(value)}</Code>
    default:
      return textOf(value)
  }
}
