import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'
import { __, sprintf } from '../i18n.ts'

interface Question {
  readonly title: string
  readonly body?: ReactNode
  /** Label of the confirm button. */
  readonly confirm: string
  /** `true` for actions that can't be undone. */
  readonly isDestructive?: boolean
}

/** Asks for confirmation. Resolves to whether the user confirmed. */
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

/** @param name of the item, as shown to the user */
export function confirmDelete(name: string, body?: ReactNode): Promise<boolean> {
  return confirm({
    title: sprintf(__('Delete “%s”?', 'pentad'), name),
    body: body ?? __('This can’t be undone.', 'pentad'),
    confirm: __('Delete', 'pentad'),
    isDestructive: true,
  })
}
