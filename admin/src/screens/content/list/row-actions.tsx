import { ActionIcon, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconExternalLink, IconForms, IconTrash, IconTrashX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useChange } from '../../../api/query.ts'
import { change } from '../../../api/rest.ts'
import { __, sprintf } from '../../../i18n.ts'
import { confirmDelete } from '../../../parts/confirm.tsx'
import type { ContentType } from '../types.ts'
import { nameOf, type PostRow } from './post-row.ts'

/** The actions of a post in a list. */
export function RowActions({ row, type, onEdit }: { row: PostRow; type: ContentType; onEdit: () => void }) {
  const path = `wp/v2/${type.rest_base}/${row.id}`
  const invalidates = [`wp/v2/${type.rest_base}`, 'host/v1/post-counts']
  const name = nameOf(row)
  const trash = useChange(() => change('DELETE', path), {
    invalidates,
    done: sprintf(__('“%s” moved to the trash.', 'pentad'), name),
  })
  const restore = useChange(() => change('POST', path, { status: 'draft' }, { query: { _fields: 'id' } }), {
    invalidates,
    done: sprintf(__('“%s” restored as a draft.', 'pentad'), name),
  })
  const erase = useChange(() => change('DELETE', path, undefined, { query: { force: true } }), {
    invalidates,
    done: sprintf(__('“%s” deleted permanently.', 'pentad'), name),
  })
  const isBusy = trash.isPending || restore.isPending || erase.isPending

  if (row.status === 'trash') {
    return (
      <>
        <Action label={sprintf(__('Restore “%s”', 'pentad'), name)} isBusy={isBusy} onClick={() => restore.mutate()}>
          <IconArrowBackUp size={16} aria-hidden />
        </Action>
        <Action
          label={sprintf(__('Delete “%s” permanently', 'pentad'), name)}
          isBusy={isBusy}
          isDestructive
          onClick={() => void confirmDelete(name).then((isSure) => isSure && erase.mutate())}
        >
          <IconTrashX size={16} aria-hidden />
        </Action>
      </>
    )
  }
  const isPublic = row.status === 'publish' || row.status === 'private'
  return (
    <>
      {type.viewable && (
        <Tooltip label={isPublic ? __('View', 'pentad') : __('Preview', 'pentad')}>
          <ActionIcon
            component="a"
            href={isPublic ? row.link : previewOf(row.link)}
            target="_blank"
            variant="subtle"
            color="gray"
            aria-label={sprintf(isPublic ? __('View “%s”', 'pentad') : __('Preview “%s”', 'pentad'), name)}
          >
            <IconExternalLink size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      <Action label={sprintf(__('Quick edit “%s”', 'pentad'), name)} isBusy={isBusy} onClick={onEdit}>
        <IconForms size={16} aria-hidden />
      </Action>
      <Action
        label={sprintf(__('Move “%s” to the trash', 'pentad'), name)}
        isBusy={isBusy}
        isDestructive
        onClick={() => trash.mutate()}
      >
        <IconTrash size={16} aria-hidden />
      </Action>
    </>
  )
}

interface ActionProps {
  readonly label: string
  readonly isBusy: boolean
  readonly isDestructive?: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}

function Action({ label, isBusy, isDestructive = false, onClick, children }: ActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color={isDestructive ? 'red' : 'gray'}
        disabled={isBusy}
        aria-label={label}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  )
}

/** The preview of an unpublished post, for users who may edit it. */
export function previewOf(link: string): string {
  const url = new URL(link)
  url.searchParams.set('preview', 'true')
  return url.href
}
