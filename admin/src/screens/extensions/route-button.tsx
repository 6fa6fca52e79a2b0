import type { ReactNode } from 'react'
import { useChange } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { __ } from '../../i18n.ts'
import { confirm } from '../../parts/confirm.tsx'
import type { PartOf } from './part.ts'

type AdminButton = PartOf<'buttons'>['buttons'][number]

interface RouteButtonProps {
  readonly button: AdminButton
  /** Replaces `{key}` in the route. */
  readonly row?: (key: string) => string
  readonly onDone: () => void
  readonly children: (parts: { run: () => void; isRunning: boolean }) => ReactNode
}

/** Runs a button of an extension's page: asks for confirmation, calls the route, reports the result. */
export function RouteButton({ button, row, onDone, children }: RouteButtonProps) {
  const { label, method = 'POST', route, body, confirm: question, done, destructive = false } = button
  const filled = row ? fill(route, (key) => segmentOf(row(key))) : route
  const { mutate, isPending } = useChange(() => change(method, filled, body), {
    done: done ?? __('Done.', 'pentad'),
  })

  async function run(): Promise<void> {
    const text = row && question !== undefined ? fill(question, row) : question
    if (text !== undefined || destructive) {
      const isSure = await confirm({
        title: label,
        body: text ?? __('This can’t be undone.', 'pentad'),
        confirm: label,
        isDestructive: destructive,
      })
      if (!isSure) return
    }
    mutate(undefined, { onSuccess: onDone })
  }

  return children({ run: () => void run(), isRunning: isPending })
}

/** Replaces `{key}` in a text. */
export const fill = (text: string, replace: (key: string) => string): string =>
  text.replace(/\{([\w.-]+)\}/g, (_, key) => replace(key))

/** A value as a segment of a route. @throws Error for one that a browser resolves, which would lead to another route */
export function segmentOf(value: string): string {
  if (/^\.+$/.test(value)) throw new Error(`"${value}" cannot be part of a route.`)
  return encodeURIComponent(value)
}
