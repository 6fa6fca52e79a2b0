import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'
import { __, sprintf } from '../i18n.ts'

interface Question {
  readonly title: string
  readonly body?: ReactNode
  /** On the button that does it. */
  readonly confirm: string
  /** `true` for what can't be undone. */
  readonly isDestructive?: boolean
}

/** Asks once. Resolves to whether it shall be done. */
export function confirm({ title, body, confirm: label, isDestructive = false }: Question): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      children: typeof body === 'string' ? <Text size="sm">{body}</Text> : body,
      labels: { confirm: label, cancel: __('Cancel', 'pentad') },
      confirmProps: isDestructive ? { color: 'red.9' } : {},
      onConfirm: () => resolve(true),
      onClose: () => resolve(false),
    })
  })
}

/** @param name of the thing, as the user knows it */
export function confirmDelete(name: string, body?: ReactNode): Promise<boolean> {
  return confirm({
    title: sprintf(__('Delete “%s”?', 'pentad'), name),
    body: body ?? __('This can’t be undone.', 'pentad'),
    confirm: __('Delete', 'pentad'),
    isDestructive: true,
  })
}
