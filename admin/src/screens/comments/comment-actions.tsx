import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { __, sprintf } from '../../i18n.ts'
import type { CommentItem, CommentStatus } from './comment.ts'
import type { Writing } from './write-comment.tsx'

interface CommentActionsProps {
  readonly comment: CommentItem
  readonly onStatus: (to: CommentStatus) => void
  readonly onWrite: (writing: Writing) => void
  readonly onDelete: () => void
}

/** The actions of a comment. */
export function CommentActions({ comment, onStatus, onWrite, onDelete }: CommentActionsProps) {
  const { status, author_name: name } = comment
  const isGone = status === 'spam' || status === 'trash'
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          aria-label={sprintf(__('Actions for the comment by %s', 'pentad'), name || __('Anonymous', 'pentad'))}
        >
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {status !== 'approved' && (
          <Menu.Item onClick={() => onStatus('approved')}>
            {isGone ? __('Restore and approve', 'pentad') : __('Approve', 'pentad')}
          </Menu.Item>
        )}
        {status === 'approved' && <Menu.Item onClick={() => onStatus('hold')}>{__('Unapprove', 'pentad')}</Menu.Item>}
        {!isGone && <Menu.Item onClick={() => onWrite({ kind: 'reply', comment })}>{__('Reply', 'pentad')}</Menu.Item>}
        <Menu.Item onClick={() => onWrite({ kind: 'edit', comment })}>{__('Edit', 'pentad')}</Menu.Item>
        <Menu.Divider />
        {status !== 'spam' && <Menu.Item onClick={() => onStatus('spam')}>{__('Mark as spam', 'pentad')}</Menu.Item>}
        {status !== 'trash' && (
          <Menu.Item c="var(--mantine-color-error)" onClick={() => onStatus('trash')}>
            {__('Move to trash', 'pentad')}
          </Menu.Item>
        )}
        {isGone && (
          <Menu.Item c="var(--mantine-color-error)" onClick={onDelete}>
            {__('Delete permanently', 'pentad')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
